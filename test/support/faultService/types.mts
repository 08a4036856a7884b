import type { IncomingMessage } from 'node:http';
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
	/** Pause between the pieces of answers that drip. */
	interval: number;
	/** How long slow but honest answers take, and how long a refused port stays closed. */
	slowMs: number;
	/** How many milliseconds a second of `laterS` takes. */
	secondMs: number;
	/** Size of answers that are too big. */
	bigBytes: number;
}

/** One write that was carried out. */
export interface Effect {
	/** For example `transaction.created`. */
	kind: string;
	id: string;
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
	/** What an honest answer of the endpoint is. */
	kind?: AnswerKind;
	hasBody?: boolean;
	write: boolean;
	/** The service carried the request out, and did not refuse it. */
	applied: boolean;
	status?: number;
	fault?: string;
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
	socket: Socket;
	options: ServiceOptions;
	/** Origin of the API, without a trailing slash. */
	origin: string;
	/** Origin that no client has any business with. */
	elsewhere: string;
	/** Sends a whole answer. */
	reply(status: number, headers: Record<string, string>, body?: Buffer | string): void;
	/** Writes bytes as they are. */
	raw(bytes: Buffer | string): void;
	/** Sends the end of the stream after what has been written. */
	close(): void;
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
	| 'binary'
	| 'described';

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
	/** Whether the work was done when the fault strikes; `later`: it's done `laterS` seconds after it. */
	when: 'before' | 'after' | 'later';
	laterS?: number;
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
	/** `answer` is the honest answer, undefined unless `when` is 'after'. */
	strike(target: Target, wire: Wire, answer: Answer | undefined): void;
}
