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

/** Whether a refusal says, or may say, that the account isn't for the platform. */
export function isAboutPlatform(said: readonly string[]): boolean {
	return Object.values(WRONG_PLATFORM).some((text) => said.some((one) => text.test(one)));
}
