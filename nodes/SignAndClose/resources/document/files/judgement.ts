import { Budget, type Pause } from '../../../pdf/bounds/limits';
import { findBarrier, type Barrier } from '../../../pdf/document/barriers';
import { isErrorPage } from '../../../transport/files/fileFormats';

/*
 * Files that begin as those of their kind do, and can't be signed all the same. A file is refused only
 * for what is certain of it, never because it can't be read here.
 */

/** What is wrong with a file, as a sentence about it goes on, and what to do. */
export type FileFault = readonly [problem: string, remedy: string];

const BARRIERS: Record<Barrier, FileFault> = {
	locked: [
		"is locked with a password, so that the signers couldn't open it",
		'Open it with its password, print it to PDF, and use that file',
	],
	dynamicForm: [
		'is a form in XFA format, which shows nothing but "Please wait..." outside of Adobe\'s programs',
		'Open it in Adobe Acrobat Reader, print it to PDF, and use that file',
	],
};

const MANGLED: FileFault = [
	'was read as text on its way, which has destroyed it',
	"Get it as a file: in the node HTTP Request, set 'Response Format' to File. In other nodes, don't turn the file into text",
];

/** Says why nobody can sign a PDF; undefined if nothing is known against it. */
export async function judgePdf(bytes: Uint8Array, pause: Pause): Promise<FileFault | undefined> {
	// Of what is destroyed, nothing else is certain.
	if (await isMangled(bytes, pause)) return MANGLED;
	const barrier = await findBarrier(bytes, pause);
	return barrier && BARRIERS[barrier];
}

/** How much of a file becomes text at once. */
const PIECE_BYTES = 1024 ** 2;

/** A stream that isn't text, because a filter for bytes is its first one. */
const BINARY_STREAM = /\/Filter[\s[]*\/(?:Flate|LZW|DCT|JPX|JBIG2|CCITTFax)Decode/;

/**
 * Whether bytes of a PDF were replaced because they aren't UTF-8: no stream of bytes is UTF-8 by itself.
 * A whole file isn't, either, most often from its second line on, which ends the search.
 */
async function isMangled(bytes: Uint8Array, pause: Pause): Promise<boolean> {
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const budget = new Budget(pause);
	let [hasReplaced, hasBinary] = [false, false];
	for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
		try {
			const text = decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
			hasReplaced ||= text.includes('\uFFFD');
			hasBinary ||= BINARY_STREAM.test(text);
		} catch {
			return false;
		}
		await budget.pauseIfDue();
	}
	return hasReplaced && hasBinary;
}

/**
 * Decodes the text of an XML file. Without a byte order mark, a zero beside the first character tells
 * UTF-16 (XML 1.0, F.1).
 */
export function decodeXml(bytes: Uint8Array): string {
	const [first, second] = bytes;
	const isLittle = (first === 0xff && second === 0xfe) || second === 0;
	const isBig = (first === 0xfe && second === 0xff) || first === 0;
	return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** In so many characters, an XML file has begun with its root element. */
const XML_START = 8 * 1024;

/** What may stand before the root element. */
const PROLOG = /<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/gi;

/** The name of the root element; undefined if none is to be seen. */
const findRoot = (text: string): string | undefined =>
	/^[^<]*<([^\s!?/<>]+)/.exec(text.slice(0, XML_START).replace(PROLOG, ''))?.[1];

/** Says why a file can't be an eNote, or what an eNote is made from; undefined if nothing is known against it. */
export function judgeXml(text: string): FileFault | undefined {
	if (isErrorPage(text.slice(0, XML_START)))
		return [
			'is a web page or the refusal of a server, and no XML file',
			'Check the node that outputs the file: it may need a login, or another address',
		];
	const root = findRoot(text);
	const isWhole = root === undefined ? text.length > XML_START : hasEnd(text, root);
	return isWhole
		? undefined
		: ['is cut off: its end is missing', 'Get the file again, and check the node that outputs it'];
}

/** Whether the root element ends, or is empty. */
function hasEnd(text: string, root: string): boolean {
	if (text.includes(`</${root}`)) return true;
	const [tag = ''] = text.slice(text.indexOf(`<${root}`) + 1).split('<', 1);
	return tag.trimEnd().endsWith('/>');
}

/** Root elements of MISMO's loan data. What holds an eNote says so. */
const LOAN_DATA = /^(?:\w+:)?(?:MESSAGE|LOAN_APPLICATION|REQUEST_GROUP|RESPONSE_GROUP)$/;
const SAYS_ENOTE = /SMART|DocumentType>\s*Note/i;

/** Says why a file can't be a complete eNote, as judgeXml(). */
export function judgeEnote(text: string): FileFault | undefined {
	const fault = judgeXml(text);
	if (fault !== undefined) return fault;
	const root = findRoot(text) ?? '';
	if (!LOAN_DATA.test(root) || SAYS_ENOTE.test(text)) return undefined;
	const name = text.includes('INTEGRATED_DISCLOSURE')
		? 'a closing disclosure'
		: root === 'LOAN_APPLICATION' || text.includes('URLA')
			? 'a loan application'
			: 'a file of loan data';
	return [
		`is ${name} in MISMO's format, and no eNote`,
		"Use the XML file of the eNote, or choose Seed XML in 'eNote Type' if the service makes the eNote from this",
	];
}
