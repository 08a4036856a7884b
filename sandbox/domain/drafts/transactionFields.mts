/**
 * The fields of a create and of an update: which are stored, and what becomes of them
 * (docs/service/transactions.md#creation-fields).
 */

import { dateContacts } from '../people/contacts.mts';
import { published } from '../refusal.mts';
import type { Fields, Platform, World } from '../../world/world.mts';

/** Kept elsewhere, or not at all. */
const NOT_STORED = new Set(
	(
		'signer signers cosigner documents document draft suppress_email organization_id ' +
		'document_url_version pdf_bookmarked'
	).split(' '),
);
const MESSAGES = ['message_to_signer', 'message_subject', 'message_signature'];

/** @throws Refusal 403 for a field that the account may not use */
export function checkFeatures({ settings }: World, body: Fields): void {
	if (
		body.notary_instructions !== undefined &&
		settings.missingFeatures.includes('notary_instructions')
	)
		throw published('noNotaryInstructions');
}

/**
 * What is stored of a body, under the names of the request.
 * @param old the fields so far
 */
export function storedFields(
	world: World,
	platform: Platform,
	body: Fields,
	old: Fields = {},
): Fields {
	const fields = Object.fromEntries(
		Object.entries(body).filter(([name]) => !NOT_STORED.has(name)),
	) as Fields;
	for (const name of MESSAGES)
		if (typeof fields[name] === 'string') fields[name] = plainMessage(fields[name]);
	if (fields.contacts !== undefined)
		fields.contacts = dateContacts(world, old.contacts ?? [], fields.contacts);
	const config = old.config_id ?? fields.config_id ?? defaultConfig(platform, fields);
	// The configuration is fixed once it is set (docs/service/transactions.md#config-id).
	if (config !== undefined) fields.config_id = config;
	return fields;
}

function defaultConfig(platform: Platform, { transaction_type: type }: Fields): string | undefined {
	if (platform === 'business') return 'notarization';
	return type === 'other' ? 'other' : undefined;
}

/** A message without code, images, links and HTML, which the service removes. */
function plainMessage(text: string): string {
	return text
		.replace(/```[\s\S]*?```|`[^`]*`/g, '')
		.replace(/!\[[^\]]*\]\([^)]*\)/g, '')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/<[^>]*>/g, '');
}
