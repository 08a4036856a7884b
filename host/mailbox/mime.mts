/* Mails as they are written (RFC 2045, 2047). Their texts have one character a byte. */

/** A part of a mail, or the whole of one. */
export interface MimePart {
	/** Ends with the empty line. */
	header: string;
	body: string;
	/** In lower case, e.g. "text/plain". */
	type: string;
	typeParameters: Record<string, string>;
	encoding: string;
	/** "attachment" or "inline". */
	disposition?: string;
	dispositionParameters: Record<string, string>;
	/** What a part with a boundary consists of. */
	parts: MimePart[];
}

/** A mail as somebody reads it. */
export interface Mail {
	from: string;
	to: string;
	subject: string;
	/** When it was written, as its header says, e.g. "Sat, 28 Nov 2026 18:03:50 +0000". */
	date: string;
	text: string;
	html: string;
	/** The names of its files. */
	attachments: string[];
}

export function parseMime(raw: string): MimePart {
	const end = /\r\n\r\n|^\r\n/.exec(raw);
	const bodyStart = end === null ? raw.length : end.index + end[0].length;
	const header = raw.slice(0, bodyStart);
	const body = raw.slice(bodyStart);
	const [type = 'text/plain', typeParameters] = parseValue(findHeader(header, 'content-type'));
	const [disposition, dispositionParameters] = parseValue(
		findHeader(header, 'content-disposition'),
	);
	return {
		header,
		body,
		type,
		typeParameters,
		encoding: findHeader(header, 'content-transfer-encoding')?.toLowerCase() ?? '7bit',
		disposition,
		dispositionParameters,
		parts: type.startsWith('multipart/') ? splitParts(body, typeParameters.boundary) : [],
	};
}

/** @param raw the mail, with one character a byte */
export function readMail(raw: string): Mail {
	const mail = parseMime(raw);
	const leaves = listLeaves(mail);
	const textOf = (type: string) => {
		const part = leaves.find((leaf) => leaf.type === type && leaf.disposition !== 'attachment');
		return part === undefined ? '' : decodeText(part);
	};
	const field = (name: string) => decodeWords(findHeader(mail.header, name) ?? '');
	return {
		from: field('from'),
		to: field('to'),
		subject: field('subject'),
		date: field('date'),
		text: textOf('text/plain'),
		html: textOf('text/html'),
		attachments: leaves
			.map(({ dispositionParameters, typeParameters }) =>
				decodeWords(dispositionParameters.filename ?? typeParameters.name ?? ''),
			)
			.filter((name) => name !== ''),
	};
}

function findHeader(header: string, name: string): string | undefined {
	const unfolded = header.replace(/\r\n[ \t]+/g, ' ');
	return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1].trim();
}

/** Splits a value such as `text/plain; charset=utf-8`. */
function parseValue(value: string | undefined): [string | undefined, Record<string, string>] {
	const parameters = [
		...(value ?? '').matchAll(/;\s*([^=;\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g),
	];
	return [
		value?.split(';')[0].trim().toLowerCase(),
		Object.fromEntries(
			parameters.map(([, name, quoted, plain]) => [
				name.toLowerCase(),
				quoted?.replace(/\\(.)/g, '$1') ?? plain,
			]),
		),
	];
}

function splitParts(body: string, boundary: string): MimePart[] {
	const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
	return parts
		.filter((part) => !part.startsWith('--'))
		.map((part) => parseMime(part.slice(part.indexOf('\r\n') + 2)));
}

const listLeaves = (part: MimePart): MimePart[] =>
	part.parts.length === 0 ? [part] : part.parts.flatMap(listLeaves);

function decodeText({ body, encoding, typeParameters }: MimePart): string {
	const bytes =
		encoding === 'base64'
			? Buffer.from(body, 'base64')
			: Buffer.from(unquote(body, encoding), 'latin1');
	return new TextDecoder(typeParameters.charset ?? 'utf-8').decode(bytes);
}

const unquote = (body: string, encoding: string) =>
	encoding === 'quoted-printable' ? decodeHex(body.replace(/=[ \t]*\r\n/g, '')) : body;

const decodeHex = (text: string) =>
	text.replace(/=([0-9A-F]{2})/gi, (_match, code: string) =>
		String.fromCharCode(Number.parseInt(code, 16)),
	);

/** Decodes the words of a header that aren't ASCII, e.g. `=?UTF-8?Q?M=C3=BCller?=`. */
function decodeWords(header: string): string {
	return header
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(
			/=\?([^?]+)\?([BQ])\?([^?]*)\?=/gi,
			(_match, charset: string, kind: string, word: string) => {
				const bytes =
					kind.toUpperCase() === 'B'
						? Buffer.from(word, 'base64')
						: Buffer.from(decodeHex(word.replaceAll('_', ' ')), 'latin1');
				return new TextDecoder(charset).decode(bytes);
			},
		);
}
