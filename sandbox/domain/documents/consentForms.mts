/** The consent forms of a closing (docs/service/documents.md#consent-forms). */

import { newDocument } from './addDocument.mts';
import { linesPdf } from './pdf.mts';
import { fullName } from '../people/signers.mts';
import { addToAuditLog } from '../transitions.mts';
import type { Document, Signer, Transaction, World } from '../../world/world.mts';

/**
 * Gives a closing "eSign Consent Form - Signer n" for each signer, first in the bundle, and takes
 * away those of signers who are no longer there. Does nothing on a documented-only service, or when
 * the switch is off.
 */
export async function placeConsentForms(world: World, transaction: Transaction): Promise<void> {
	const { profile, switches } = world.settings;
	if (profile === 'documented' || !switches.consentForms) return;
	const { signers } = transaction;
	const present = transaction.documents.filter(({ isConsentForm }) => isConsentForm);
	const added = await Promise.all(
		signers
			.slice(present.length)
			.map((signer, index) => newForm(world, transaction, signer, present.length + index)),
	);
	const superfluous = present.slice(signers.length);
	if (added.length === 0 && superfluous.length === 0) return;
	const others = transaction.documents
		.filter(({ isConsentForm }) => !isConsentForm)
		.sort((a, b) => a.position - b.position);
	transaction.documents = [...present.slice(0, signers.length), ...added, ...others];
	for (const [position, document] of transaction.documents.entries()) document.position = position;
	for (const { name } of added) addToAuditLog(world, transaction, `document added: ${name}`);
	for (const { name } of superfluous)
		addToAuditLog(world, transaction, `document deleted: ${name}`);
}

async function newForm(
	world: World,
	transaction: Transaction,
	signer: Signer,
	index: number,
): Promise<Document> {
	const uploaded = await linesPdf('eSign Consent Form', [
		`${fullName(signer)} consents to receive and to sign documents electronically.`,
	]);
	const form = newDocument(world, transaction, {
		name: `eSign Consent Form - Signer ${index + 1}`,
		uploaded,
		found: { pages: 1, textTags: [] },
		body: { requirement: 'esign', bundle_position: index },
	});
	return { ...form, isConsentForm: true, state: 'done', found: undefined };
}
