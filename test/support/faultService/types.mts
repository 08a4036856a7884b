import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the parts of the fault service share. The facts come from docs/service alone. */

export type Json = Record<string, any>;
export type Platform = 'business' | 'realEstate';

/** `files` serves the signed links, `elsewhere` is an origin that must never get the key. */
export type Host = 'api' | 'files' | 'elsewhere';

/**
 * The form of an endpoint's honest answer: a page is an object with a list in it, `encoded` has a
 * file in base64 in its field `data`, a receipt only says that something was done.
 */
export type AnswerKind = 'object' | 'list' | 'page' | 'encoded' | 'file' | 'receipt' | 'none';

export interface ServiceOptions {
	key: string;
	/** A lender needs a title agency and an eNote (docs/service/closings.md#when-an-enote-is-mandatory). */
	account: 'title' | 'lender';
	layouts: Array<'documented' | 'current'>;
	/** Which of the two variants Verify Address answers (docs/service/closings.md#verify-an-address). */
	verifyAddress: 'documented' | 'published';
	/** PUT resets what isn't sent, see docs/service/transactions.md#update-a-draft. */
	strictPut: boolean;
	/** Calls webhooks. Without it, events are only recorded, as if they were delivered. */
	deliver: boolean;
	processingMs: number;
	splitMs: number;
	/** How many documents a bookmarked PDF becomes. */
	splitInto: number;
	linkSeconds: number;
	templates: number;
	notaries: number;
	/** Pause between the pieces of answers that drip. */
	interval: number;
	/** How long slow but honest answers take, and how long a refused port stays closed. */
	slowMs: number;
	/** Size of answers that are too big. */
	bigBytes: number;
	/** Size of a compression bomb when it has been inflated. */
	bombBytes: number;
	/** Where an endless answer ends after all, so that no test can fill a disk. */
	endlessBytes: number;
}

/** What a test can see of one write that was carried out. */
export interface Effect {
	/** For example `transaction.created`. */
	kind: string;
	id: string;
	/** Milliseconds since 1970. */
	at: number;
	requestNumber: number;
	/** What identifies the input: external_id, transaction_name, a document's name, a URL … */
	marker: string;
}

/** One request that came in. */
export interface RequestEntry {
	number: number;
	host: Host;
	method: string;
	/** With the query. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Bytes of the body that were read. */
	size: number;
	at: number;
	/** The name of the endpoint, as `POST B/transactions`, or undefined for an unknown path. */
	endpoint?: string;
	/** What an honest answer of that endpoint is. */
	kind?: AnswerKind;
	hasBody?: boolean;
	write: boolean;
	/** The service carried the request out, and did not refuse it. */
	applied: boolean;
	/** A final answer went out in whole, be it honest or not. */
	answered: boolean;
	/** That answer was the service's own, unaltered. */
	honest: boolean;
	status?: number;
	fault?: string;
	/** The client hung up before the answer was whole. */
	aborted: boolean;
}

/** An answer of the service before it goes on the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
	/** The value that `body` holds, or undefined for files. */
	json: unknown;
}

/** What a fault knows about the request that it may strike. */
export interface Target {
	host: Host;
	method: string;
	/** With the query. */
	path: string;
	write: boolean;
	hasBody: boolean;
	kind: AnswerKind;
	key: string;
}

/** The client's end of the line, with what a strike needs. All timers end with the socket. */
export interface Wire {
	request: IncomingMessage;
	response: ServerResponse;
	socket: Socket;
	entry: RequestEntry;
	options: ServiceOptions;
	/** Origin of the API, without a trailing slash. */
	origin: string;
	/** Origin that no client has any business with. */
	elsewhere: string;
	/** Sends a whole answer and notes that. */
	reply(status: number, headers: Record<string, string>, body?: Buffer | string): void;
	/** Writes bytes as they are. */
	raw(bytes: Buffer | string): void;
	/**
	 * Sends the end of the stream after what has been written. `isWhole` says that this was an answer
	 * from its first line to its last byte.
	 */
	close(isWhole?: boolean): void;
	/** Breaks the connection with a reset, after `bytes` have left. */
	reset(bytes?: Buffer | string): void;
	every(task: () => void): void;
	later(task: () => void): void;
	/** Closes the port for `slowMs`: connections are refused. */
	refuseConnections(): void;
}

export type FaultGroup =
	| 'network'
	| 'http'
	| 'shape'
	| 'compression'
	| 'encoding'
	| 'size'
	| 'time'
	| 'redirect'
	| 'lists'
	| 'errorFields'
	| 'binary';

/**
 * What reaches a client that keeps to HTTP and to docs/service:
 * - `honest`: the service's own answer, by an unusual but valid way. It has to be understood.
 * - `refused`: a refusal. After a strike 'after', the work was done all the same.
 * - `lost`: nothing that could be read as an answer.
 * - `odd`: a success that isn't what the service says, or is unusually written.
 */
export type Reaches = 'honest' | 'refused' | 'lost' | 'odd';

export interface Fault {
	name: string;
	group: FaultGroup;
	/** Whether the work was done when the fault strikes. */
	when: 'before' | 'after';
	reaches: Reaches;
	/** Strikes before the body of the request has been read. Always 'before'. */
	unread?: boolean;
	/** Moves more than 10 MB. Random faults leave these out. */
	heavy?: boolean;
	/** Never ends by itself: the client has to give up. */
	endless?: boolean;
	appliesTo(target: Target): boolean;
	/** Changes the query before the request is carried out. */
	rewrite?(query: URLSearchParams): void;
	/** `answer` is the honest answer, undefined if `when` is 'before'. */
	strike(target: Target, wire: Wire, answer: Answer | undefined): void;
}
