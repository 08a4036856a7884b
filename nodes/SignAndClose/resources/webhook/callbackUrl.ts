/*
 * The secret in the URL of a trigger's webhook. Whoever knows it can start the trigger's workflow, so
 * no output shows it.
 */

/**
 * Name of the URL's query parameter that holds the secret. It proves that the caller got the URL
 * from us.
 */
export const SECRET_PARAMETER = 'key';

/** 256 random bits as URL-safe text. */
const SECRET = /^[\w-]{43}$/;
const HIDDEN = '***';

/** Returns the secret in the URL of a trigger's webhook; undefined when there is none. */
export function secretIn(address: unknown): string | undefined {
	const secret = parameterOf(address);
	return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** Returns a URL as outputs show it: recognizable, without the secret of a trigger. */
export function withHiddenSecret(address: unknown): unknown {
	const secret = secretIn(address);
	return typeof address === 'string' && secret !== undefined
		? address.replace(secret, HIDDEN)
		: address;
}

/** Whether a URL comes from an output, and so lacks its secret. */
export function hasHiddenSecret(address: string): boolean {
	return parameterOf(address) === HIDDEN;
}

function parameterOf(address: unknown): string | undefined {
	return typeof address === 'string' && URL.canParse(address)
		? (new URL(address).searchParams.get(SECRET_PARAMETER) ?? undefined)
		: undefined;
}
