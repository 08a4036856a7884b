import { randomUUID } from 'crypto';

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

/** Whether a value of an answer is a reference of the node's own, and so nobody's External ID. */
export function isOwnReference(value: unknown): boolean {
	return typeof value === 'string' && REFERENCE.test(value);
}
