import { parseMime, type MimePart } from './mime.mts';

/* What IMAP tells of a mail: its parts, and how they are put together (RFC 3501, 6.4.5 and 7.4.2). */

/**
 * The bytes of a section, e.g. `` (all), `HEADER`, `TEXT`, `1.2` or `1.MIME`.
 * @returns an empty text when the mail has no such section
 */
export function findSection(raw: string, section: string): string {
	if (section === '') return raw;
	const [, numbers, kind] = /^([\d.]*?)\.?(HEADER|TEXT|MIME)?$/.exec(section) ?? ['', 'none', ''];
	let part: MimePart | undefined = parseMime(raw);
	for (const number of numbers.split('.').filter((text) => text !== '')) {
		// A mail without parts is its own first part.
		const parts: MimePart[] = part.parts.length > 0 ? part.parts : [part];
		part = parts[Number(number) - 1];
		if (part === undefined) return '';
	}
	return kind === 'HEADER' || kind === 'MIME' ? part.header : part.body;
}

/** The value of BODYSTRUCTURE. */
export function formatStructure(part: MimePart): string {
	const [type, subtype] = part.type.split('/').map(quote);
	const disposition =
		part.disposition === undefined
			? 'NIL'
			: `(${quote(part.disposition)} ${formatParameters(part.dispositionParameters)})`;
	const parameters = formatParameters(part.typeParameters);
	if (part.parts.length > 0)
		return `(${part.parts.map(formatStructure).join('')} ${subtype} ${parameters} ${disposition} NIL NIL)`;
	const lines = part.type.startsWith('text/') ? ` ${part.body.split('\r\n').length}` : '';
	return `(${type} ${subtype} ${parameters} NIL NIL ${quote(part.encoding)} ${part.body.length}${lines} NIL ${disposition} NIL NIL)`;
}

function formatParameters(parameters: Record<string, string>): string {
	const pairs = Object.entries(parameters).flat().map(quote);
	return pairs.length === 0 ? 'NIL' : `(${pairs.join(' ')})`;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
