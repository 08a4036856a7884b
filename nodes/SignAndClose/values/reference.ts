import { createHash, randomBytes, randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { asText, isObject } from './json';
import { isBlank } from './comparison';
import { normalizeId } from './ids';

/*
 * References of the node's own. The service has no key that makes a repeated create harmless, but it
 * keeps a client's reference (docs/service/errors.md#nothing-twice): one that nobody else can have
 * tells which transaction or document a lost answer was about. That of a document also says what the
 * document was made of and how it was to be, so that a later run can compare both.
 */

const REFERENCE = /^n8n-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const OF_DOCUMENT = /^n8n-([acusrpq])-([\da-f]{6})-([\da-f]{14})-([\da-f]{8})-([\da-f]{4})$/;

/**
 * What has made a document: Document: Add, Copy with all places to sign or without those of the old one,
 * Create and Send, a rule that replaced another one, or a new paper in the place of another one, which may
 * have had a Tracking ID that it's still to get.
 */
type Maker = 'add' | 'copy' | 'unplacedCopy' | 'createAndSend' | 'rule' | 'paper' | 'trackedPaper';
const LETTERS: Record<Maker, string> = {
	add: 'a',
	copy: 'c',
	unplacedCopy: 'u',
	createAndSend: 's',
	rule: 'r',
	paper: 'p',
	trackedPaper: 'q',
};
const MAKERS = new Map(Object.entries(LETTERS).map(([maker, letter]) => [letter, maker as Maker]));

/** What the reference of a document says. */
interface DocumentReference {
	maker: Maker;
	/** What tells it from others that are made of the same and wanted alike. */
	tail: string;
	/** Of the content of its file. */
	content: string;
	/** Of where it's signed, and of what else was wanted that not every answer shows. */
	places: string;
	flags: string;
}

/** Makes a reference of 40 characters that nothing else has. */
export function createReference(): string {
	return `n8n-${randomUUID()}`;
}

/** The reference, of the same form, for what is determined by a text. */
export const deriveReference = (text: string): string =>
	`n8n-${hashValue(text)
		.slice(0, 32)
		.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;

/** Whether a value of an answer is a reference of the node's own, and so nobody's External ID. */
export function isOwnReference(value: unknown): boolean {
	return typeof value === 'string' && (REFERENCE.test(value) || OF_DOCUMENT.test(value));
}

/** Whether a value of an answer is a reference that a person gave. */
export const isPersonalReference = (value: unknown): value is string =>
	asText(value) !== undefined && !isOwnReference(value);

/**
 * The reference of a document of 41 characters.
 * @param tail six hexadecimal digits; by default, nothing else has the same
 * @param digest the SHA-256 of its file, in hexadecimal
 * @param fields what is sent of it
 */
export function buildDocumentReference(
	maker: Maker,
	digest: string,
	fields: IDataObject,
	tail = randomBytes(3).toString('hex'),
): string {
	const { places, flags } = hashSettings(fields);
	return `n8n-${LETTERS[maker]}-${tail}-${shortenDigest(digest)}-${places}-${flags}`;
}

/** Reads the reference of a document; undefined if it's another one, or none. */
export function readReference(value: unknown): DocumentReference | undefined {
	const match = typeof value === 'string' ? OF_DOCUMENT.exec(value) : null;
	if (match === null) return undefined;
	const [, letter, tail, content, places, flags] = match;
	return { maker: MAKERS.get(letter)!, tail, content, places, flags };
}

/**
 * Reads the reference of a document that says what a rule wanted of it; that of Document: Add says it of
 * what was sent.
 */
export function readWish(value: unknown): DocumentReference | undefined {
	const reference = readReference(value);
	return reference?.maker === 'add' ? undefined : reference;
}

/** Whether settings, as a reference has them, say where a document is signed. */
export const sayPlaces = ({ places }: Pick<DocumentReference, 'places'>): boolean =>
	places !== hashSettings({}).places;

/** What a reference says of the content of a file. */
export const shortenDigest = (digest: string): string => digest.slice(0, 14);

/** Fields of a document whose values every answer shows, or that say nothing of how it's signed. */
const VISIBLE_FIELDS = new Set([
	'filename',
	'name',
	'requirement',
	'tracking_id',
	'bundle_position',
	'resource',
]);
/** Fields that say where a document is signed. */
export const PLACE_FIELDS: ReadonlySet<string> = new Set([
	'signing_designations',
	'signing_designation_groups',
	'text_tag_syntax',
]);

/** What a reference says of how a document was to be. */
export function hashSettings(fields: IDataObject): Pick<DocumentReference, 'places' | 'flags'> {
	const hidden = Object.entries(fields).filter(([name]) => !VISIBLE_FIELDS.has(name));
	const [places, flags] = [true, false].map((arePlaces) =>
		hashValue(Object.fromEntries(hidden.filter(([name]) => PLACE_FIELDS.has(name) === arePlaces))),
	);
	return { places: places.slice(0, 8), flags: flags.slice(0, 4) };
}

/** Whether a reference says that a document was to be like this. */
export function matchesSettings(
	reference: DocumentReference | undefined,
	fields: IDataObject,
): boolean {
	const { places, flags } = hashSettings(fields);
	return reference?.places === places && reference.flags === flags;
}

const hashValue = (value: unknown): string =>
	createHash('sha256').update(serializeCanonically(value)).digest('hex');

/** A text that is the same for the same values: the order of fields and of designations means nothing. */
function serializeCanonically(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(serializeCanonically).sort().join()}]`;
	if (!isObject(value)) return String(value);
	const parts = Object.entries(value).filter(([, part]) => !isBlank(part) && part !== false);
	return `{${parts
		.map(([name, part]) => `${name}:${serializeCanonically(part)}`)
		.sort()
		.join()}}`;
}

/** The tail for what is determined by a text. */
export const deriveTail = (text: string): string => hashValue(text).slice(0, 6);

/** The tail for what stands for a document, by its ID. */
export const deriveDocumentTail = (id: unknown): string => deriveTail(normalizeId(String(id)));
