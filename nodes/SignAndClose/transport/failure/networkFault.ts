import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';

/*
 * Reads why a request has no answer. Pure, so that tests pin it to every error that n8n, its HTTP
 * library and Node.js throw.
 */

/** Why a request has no answer. */
export interface Fault {
	/** The code of the network or of Node.js; one of ours where n8n itself stopped the request. */
	code: string;
	/** No byte of the request has left this machine. */
	nothingSent: boolean;
	timedOut: boolean;
	/** Another attempt would end in the same way, e.g. because of what was entered. */
	lasting: boolean;
	/** What n8n said where it stopped the request itself. */
	details?: string;
}

/** Our code for an error of n8n itself, e.g. because the credential was deleted. */
export const STOPPED_BY_N8N = 'N8N_STOPPED';
/** Our code for a request that ends because somebody has stopped the execution. */
export const EXECUTION_STOPPED = 'stopped';
/** Our code for n8n's protection against requests to private addresses. */
export const BLOCKED_BY_N8N = 'N8N_BLOCKED';

/** Faults of the network that occur before any byte of the request has left. They can pass. */
const BEFORE_SENDING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;

/**
 * Faults before any byte has left that don't pass: a header, a path or an address that can't be
 * sent, and certificates and an unencrypted port, which are noticed before the request.
 */
const LASTING =
	/^(ERR_INVALID_(CHAR|URL|PROTOCOL|HTTP_TOKEN)|ERR_UNESCAPED_CHARACTERS|ERR_HTTP_INVALID_HEADER_VALUE|ERR_TLS_CERT_\w+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_(GET|VERIFY)_\w+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER)$/;

/** The code for an answer without encryption where an encrypted one was asked for. */
const PLAIN_HTTP = 'ERR_SSL_WRONG_VERSION_NUMBER';

/**
 * Reads what was thrown instead of an answer. A time-out or a reset proves nothing about what the
 * service did.
 * @param bodyWasRead whether the request has a stream as its body that somebody has begun to read;
 *   n8n's own error may then come from that stream
 */
export function readFault(thrown: unknown, bodyWasRead = false): Fault {
	const links = listCauses(thrown);
	const blocked = links.find(({ name }) => /^SsrfBlocked/.test(String(name)));
	if (blocked !== undefined) return buildStopped(BLOCKED_BY_N8N, blocked, true);
	const findText = (name: string) =>
		links.map((link) => link[name]).find((value) => typeof value === 'string');
	const [knownCode, syscall] = [findText('code'), findText('syscall')];
	const origin = links.at(-1);
	if (knownCode === undefined && origin !== undefined && isOfN8n(origin))
		return buildStopped(STOPPED_BY_N8N, origin, !bodyWasRead);
	const code = isPlainHttp(links) ? PLAIN_HTTP : (knownCode ?? guessCode(thrown));
	const lasting = LASTING.test(code);
	return {
		code,
		nothingSent:
			lasting || BEFORE_SENDING.test(code) || syscall === 'connect' || syscall === 'getaddrinfo',
		timedOut: ['ECONNABORTED', 'ETIMEDOUT', 'ESTALLED'].includes(code),
		lasting,
	};
}

/**
 * Reads why an answer that had begun didn't come to its end. It is no answer then: half of one
 * tells nothing.
 */
export function readAnswerFault(thrown: unknown): Fault {
	const limits = ['ESTALLED', 'ANSWER_SLOW', 'ANSWER_TOO_BIG'];
	const codes = listCauses(thrown).map(({ code }) => String(code));
	const code = codes.find((candidate) => limits.includes(candidate)) ?? 'ANSWER_CUT';
	return {
		code,
		nothingSent: false,
		timedOut: code === 'ANSWER_SLOW' || code === 'ESTALLED',
		lasting: code === 'ANSWER_TOO_BIG',
	};
}

/** What was thrown and its causes. n8n and its HTTP library each wrap what they catch. */
function listCauses(thrown: unknown): IDataObject[] {
	const links: IDataObject[] = [];
	for (let link = thrown; isObject(link) && links.length < 6;) {
		links.push(link);
		const { cause, errors } = link;
		// When several addresses of one host were tried, the first fault tells enough.
		link = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
	}
	return links;
}

/**
 * Whether a server without encryption answered. Node.js has the same code, EPROTO, for what can
 * also happen later.
 */
function isPlainHttp(links: IDataObject[]): boolean {
	return links.some(
		({ code, message }) =>
			code === 'EPROTO' && typeof message === 'string' && message.includes('wrong version number'),
	);
}

/**
 * Whether n8n made the error, and didn't only wrap it: its errors have a level, and the class that
 * wraps others has a status too. The classes themselves can't be asked, because a package that is
 * installed in n8n may have another copy of them.
 */
function isOfN8n(link: IDataObject): boolean {
	return typeof link.level === 'string' && !('httpCode' in link);
}

function buildStopped(code: string, { message }: IDataObject, nothingSent: boolean): Fault {
	return {
		code,
		nothingSent,
		timedOut: false,
		lasting: nothingSent,
		...(typeof message === 'string' && { details: message }),
	};
}

/** The code that comes closest to an error without one. */
function guessCode(thrown: unknown): string {
	if (!(thrown instanceof Error)) return 'UNKNOWN';
	return /stalled|timeout/i.test(thrown.message) ? 'ETIMEDOUT' : 'ECONNRESET';
}
