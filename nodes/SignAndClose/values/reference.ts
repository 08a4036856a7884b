import { createHash, randomUUID } from 'crypto';

/*
 * References of the node's own. The service has no key that makes a repeated create harmless, but it
 * keeps a client's reference (docs/service/errors.md#nothing-twice): one that nobody else can have
 * tells which transaction or document a lost answer was about.
 */

const REFERENCE = /^n8n-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Makes a reference of 40 characters that nothing else has. */
export function newReference(): string {
	return `n8n-${randomUUID()}`;
}

/**
 * The reference of what is determined by these texts, in the form of the others: whoever makes the
 * same again finds it by this.
 */
export function referenceFor(...texts: string[]): string {
	const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
	return `n8n-${hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`;
}

/** Whether a value of an answer is a reference of the node's own, and so nobody's External ID. */
export function isOwnReference(value: unknown): boolean {
	return typeof value === 'string' && REFERENCE.test(value);
}
