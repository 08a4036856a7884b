import { createHash } from 'node:crypto';

/**
 * Which pictures of docs/images show the form of which operation, and what that form was like. Their
 * hashes are in docs/images/forms.json; a test says which pictures a change has made untrue.
 */

/** A field as n8n describes it. */
interface Field {
	displayName?: string;
	name: string;
	type?: string;
	default?: unknown;
	placeholder?: string;
	displayOptions?: { show?: Record<string, unknown[] | undefined> };
	options?: Field[];
	values?: Field[];
}

/** Pictures of a form, by the resource and the operation. */
const PICTURES: Record<string, string[]> = {
	'transaction createClosing': ['create-closing', 'closing-lists'],
	'transaction createAndSend': [
		'create-and-send',
		'create-and-send-plan',
		'create-and-send-stop',
		'joint-borrowers',
	],
	'transaction replaceDocuments': ['replace-documents'],
	'transaction copy': ['copy'],
	'document add': ['add-document', 'where-to-sign-form'],
};

/**
 * Hashes what a person sees of a form: labels, examples, choices and what is chosen at first.
 * @param properties all fields of the node
 * @returns the hash of the form of each picture, by its name
 */
export function hashForms(properties: Field[]): Record<string, string> {
	const hashes = Object.entries(PICTURES).flatMap(([form, pictures]) => {
		const [resource, operation] = form.split(' ');
		const its = properties.filter(
			({ displayOptions: { show = {} } = {} }) =>
				show.resource?.includes(resource) === true && show.operation?.includes(operation) === true,
		);
		if (its.length === 0) throw new Error(`There is no form ${form}`);
		const text = JSON.stringify(its.map(describe));
		const hash = createHash('sha256').update(text).digest('hex');
		return pictures.map((picture) => [picture, hash]);
	});
	return Object.fromEntries(hashes) as Record<string, string>;
}

const describe = (field: Field): unknown => [
	field.displayName ?? field.name,
	field.type,
	field.placeholder,
	field.default,
	(field.options ?? field.values)?.map(describe),
];
