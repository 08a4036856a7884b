/**
 * Templates, whose permalinks can be the resource of a document
 * (docs/service/documents.md#templates).
 */

import { linesPdf } from '../domain/documents/pdf.mts';

const TEMPLATES = [
	{
		id: 'od_power_of_attorney',
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

/** What GET B/templates lists, with permalinks that begin with `origin`. */
export function listTemplates(
	origin: string,
): Array<{ id: string; name: string; permalink: string; created_at: string }> {
	return TEMPLATES.map(({ id, name }) => ({
		id,
		name,
		permalink: `${origin}/templates/permalink/${id}`,
		created_at: '2026-01-05T09:00:00.000000Z',
	}));
}

/** The PDF of a template, or undefined when the URL isn't the permalink of one. */
export function templateBytes(url: string): Promise<Buffer> | undefined {
	const id = /\/templates\/permalink\/(\w+)$/.exec(url)?.[1];
	const template = TEMPLATES.find((entry) => entry.id === id);
	return template && linesPdf(template.name, template.lines);
}
