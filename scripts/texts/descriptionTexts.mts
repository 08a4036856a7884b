import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';

/** A text of a node or the credential that a user can read in the editor. */
export interface DescriptionText {
	/** Where it is, e.g. `trigger > Options > Require Signature: description`. */
	where: string;
	/** The key that holds it; `notice` for the text of a notice. */
	key: string;
	/** The type of the field or of the mode of a resource locator, if it belongs to one. */
	fieldType?: string;
	text: string;
}

/** Keys of n8n's descriptions whose values are texts for users. */
const TEXT_KEYS = new Set([
	'displayName',
	'description',
	'action',
	'placeholder',
	'hint',
	'message',
	'errorMessage',
	'multipleValueButtonText',
	'eventTriggerDescription',
	'activationMessage',
	'header',
	'activationHint',
	'executionsHelp',
	'active',
	'inactive',
]);
/** Keys whose values are code or are sent to the service, whatever they are called. */
const NO_TEXT = new Set(['displayOptions', 'default', 'defaults', 'codex', 'routing', 'webhooks']);

/** Every text of the two nodes and the credential, found by walking their descriptions. */
export function descriptionTexts(): DescriptionText[] {
	const texts: DescriptionText[] = [];
	const walk = (value: unknown, where: string[]): void => {
		if (Array.isArray(value)) {
			for (const entry of value) walk(entry, where);
			return;
		}
		if (typeof value !== 'object' || value === null) return;
		const entry = value as Record<string, unknown>;
		const label =
			entry.type === 'notice'
				? entry.name
				: (entry.displayName ?? ('value' in entry ? entry.name : undefined));
		const place = typeof label === 'string' ? [...where, label] : where;
		const fieldType = typeof entry.type === 'string' ? entry.type : undefined;
		for (const [key, inner] of Object.entries(entry)) {
			if (NO_TEXT.has(key)) continue;
			const isOptionName = key === 'name' && 'value' in entry;
			if (typeof inner === 'string' && (TEXT_KEYS.has(key) || isOptionName)) {
				const kind = key === 'displayName' && fieldType === 'notice' ? 'notice' : key;
				texts.push({
					where: `${place.join(' > ')}: ${kind}`,
					key: kind,
					fieldType,
					text: inner,
				});
			} else walk(inner, place);
		}
	};
	walk(new SignAndClose().description, []);
	walk(new SignAndCloseTrigger().description, []);
	walk(new SignAndCloseApi(), []);
	// Operations share fields: one entry is enough.
	return [...new Map(texts.map((entry) => [entry.where + entry.text, entry])).values()];
}
