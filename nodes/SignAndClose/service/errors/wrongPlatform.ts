/*
 * Recognizes that the service refused a call because of the platform that it went to
 * (docs/service/errors.md#wrong-platform). There is no code for it, so the texts decide.
 */

/** Texts that name the platform to use, and one that names none. */
export const WRONG_PLATFORM = {
	business: /must use the business api/i,
	realEstate: /must use the real ?estate api/i,
	unnamed: /feature not available in current tier/i,
};

/**
 * Reads which platform a refusal names.
 * @returns `unnamed` when it may be about the platform without naming one; undefined when it is
 *   about something else
 */
export function platformNamedIn(
	said: readonly string[],
): 'business' | 'realEstate' | 'unnamed' | undefined {
	const says = (pattern: RegExp) => said.some((text) => pattern.test(text));
	if (says(WRONG_PLATFORM.business)) return 'business';
	if (says(WRONG_PLATFORM.realEstate)) return 'realEstate';
	return says(WRONG_PLATFORM.unnamed) ? 'unnamed' : undefined;
}
