/**
 * Templates, whose permalinks can be the resource of a document
 * (docs/service/documents.md#templates). A permalink is a slug, not a URL.
 */

import { linesPdf } from '../domain/documents/pdf.mts';

const TEMPLATES = [
	{
		id: 'od_power_of_attorney',
		permalink: 'power-of-attorney-2b7d',
		name: 'Power of attorney',
		lines: [
			'I appoint the person named below as my attorney in fact.',
			'',
			'Principal: ____________________',
			'',
			'Agent: ____________________',
		],
	},
	{
		id: 'od_affidavit',
		permalink: 'general-affidavit-81c4',
		name: 'General affidavit',
		lines: [
			'I state under oath that the following is true:',
			'',
			'________________________________',
			'',
			'Affiant: ____________________',
		],
	},
];

interface Template {
	id: string;
	name: string;
	permalink: string;
	created_at: string;
	updated_at: string;
}

/** What GET B/templates lists. */
export function listTemplates(): Template[] {
	return TEMPLATES.map(({ id, name, permalink }) => ({
		id,
		name,
		permalink,
		created_at: '2026-01-05T09:00:00.000000Z',
		updated_at: '2026-02-11T16:30:00.000000Z',
	}));
}

/** The PDF of a template, or undefined when the text is neither its permalink nor its id. */
export function templateBytes(text: string): Promise<Buffer> | undefined {
	const template = TEMPLATES.find(({ id, permalink }) => id === text || permalink === text);
	return template && linesPdf(template.name, template.lines);
}
