/*
 * The mark of a recall, which the service keeps with the reason: by it, a later run for the same papers
 * goes on, and everybody else sees why nobody can sign.
 */

/** @param tail six hexadecimal digits, from what the papers are */
export const buildMark = (tail: string): string => `n8n-papers-${tail}`;

const MARK = /\bn8n-papers-[\da-f]{6}\b/;

/** The mark in the reason of a recall, if new papers were the reason. */
export const findMark = (recallReason: string | undefined): string | undefined =>
	MARK.exec(recallReason ?? '')?.[0];
