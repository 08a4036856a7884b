import { isOfRequest, getStatusMeaning } from '../http/statuses';

/*
 * What can go wrong, as data. No file of transport/ knows what the editor calls a field, so a failure
 * of this layer carries a code and facts; messages/explanations.ts turns them into a sentence and a
 * remedy. No failure holds a header or a key.
 */

/** What callers base decisions on, whatever the words of the failure are. */
export interface FailureFlags {
	/** HTTP status of the answer, where there was one. */
	httpStatus?: number;
	/** A write may have been done although no answer says so. */
	unknownOutcome?: boolean;
	/** The write in doubt was looked up already, without a result. */
	lookedUp?: boolean;
	/** When the answer of the write in doubt was lost, in milliseconds since 1970. */
	lostAt?: number;
	/** Repeating wouldn't help: the input is wrong, or the service refused it. */
	final?: boolean;
	/** No new run can go on either, e.g. because somebody has signed. */
	unresumable?: boolean;
}

/** Anything that this package throws on purpose. */
export class Failure extends Error {
	constructor(
		message: string,
		readonly flags: FailureFlags = {},
	) {
		super(message);
		this.name = new.target.name;
	}

	/** Returns the same failure with other flags. */
	withFlags(flags: FailureFlags): Failure {
		return new Failure(this.message, flags);
	}
}

/** The names of the IDs in the paths of endpoints. */
export type IdName = 'transactionId' | 'documentId' | 'recordId' | 'notaryId' | 'webhookId';

/** What is known about a refused call besides its answer. */
export interface RefusedCall {
	/** What the call was for: the content of a file, anything else to read, or a change. */
	purpose: 'file' | 'read' | 'write';
	attempts: number;
	/** The documented interface doesn't show the path, so a service may lack it. */
	undocumented?: boolean;
	/** The host of a link of another origin, where the API key is never sent. */
	linkHost?: string;
}

/** What is known about a refusal besides its words. */
export interface RefusalFacts extends RefusedCall {
	status: number;
	/** The last id of the request's path. */
	subject?: { name: IdName; id: string };
	/** Host that a redirect points to. */
	redirectHost?: string;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/**
	 * Value of the trace header, which the service's support asks for
	 * (docs/service/errors.md#trace-header).
	 */
	trace?: string;
}

/** A refusal of the service (docs/service/errors.md). */
export interface Refusal extends RefusalFacts {
	code: 'refused';
	/** What the service said, in its own words, without secrets. */
	details: string[];
	/** Whether it said so in JSON, as the service does and a gateway hardly ever. */
	structured?: boolean;
}

/** What makes a base URL unusable. */
export type BaseUrlFault =
	'empty' | 'incomplete' | 'notHttps' | 'unencrypted' | 'hasUserInfo' | 'hasQuery';

/** The steps of a signer's correction, in order. */
export type CorrectionStep = 'recalled' | 'corrected' | 'sent';

/** Where a correction stands that has begun to recall the transaction. */
export type CorrectionProgress =
	/** Nobody knows whether the transaction is recalled. */
	| 'recalling'
	| 'recalled'
	/** It is recalled, and nobody knows whether the signer is corrected. */
	| 'correcting'
	| 'corrected'
	/** It is recalled and corrected, and nobody knows whether it is sent again. */
	| 'sending';

/** What the service shows instead of what a write was to bring about. */
export type NotDoneReason =
	| { still: 'draft' | 'sent' | 'there' | 'missing' }
	/** These fields of the request have the values they had before. */
	| { unchanged: string[] };

/** What a file is, by the family of its type. */
export type FileKind = 'pdf' | 'xml' | 'image' | 'video' | 'file';

/** Why something went wrong below the operations. */
export type FailureReason =
	| Refusal
	/** A success, but not with the data that the interface promises, e.g. a login page. */
	| { code: 'unexpectedAnswer' }
	/** A success about something else than was asked for. */
	| { code: 'otherAnswered'; name: IdName; expectedId: string; actualId: string; isRead: boolean }
	/** A success without the list that was asked for. `came` names what is there instead. */
	| { code: 'unexpectedList'; came: string; details: string[] }
	/**
	 * The service shows that a write has no effect. It answered with a success all the same, or
	 * `lost` says why no answer came.
	 */
	| { code: 'notDone'; explanation: NotDoneReason; details: string[]; lostAnswer?: Failure }
	/** The list ended before all of it had come; without `total`, the service doesn't say what all is. */
	| { code: 'listBrokenOff'; count: number; total?: number }
	/** Nobody knows what is there already, so nothing was created. */
	| { code: 'existingUnknown'; cause: Failure }
	/** The service answered a write with a success, but doesn't show what became of it. */
	| { code: 'notShown'; details: string[] }
	/** The answer lacks these fields; a change would have to send them back. */
	| { code: 'incompletelyRead'; missing: string[]; toWriteBack: boolean }
	/**
	 * No answer came; `fault` is the code of the network fault, and `host` the service's, with its port.
	 * `linkHost` is the host of a link that leads to another origin than the service's.
	 */
	| { code: 'unreachable'; fault: string; attempts: number; host?: string; linkHost?: string }
	/**
	 * n8n stopped the request before it left, e.g. because the credential was deleted, or blocked it
	 * because it goes to a private address. `said` is n8n's reason, in its own words. `isStopped`:
	 * somebody has stopped the execution before.
	 */
	| { code: 'notSent'; blockedHost?: string; details?: string; linkHost?: string; isStopped?: true }
	| { code: 'unusableBaseUrl'; fault: BaseUrlFault }
	| { code: 'missingApiKey' }
	/** The key holds a character that a header can't hold. */
	| { code: 'unusableApiKey' }
	/** The key was about to go to another origin than the base URL's. */
	| { code: 'foreignOrigin'; origin: string; target?: string }
	| { code: 'unusableId'; name: IdName; id: string }
	| { code: 'unusableLink' }
	/** A link that must not be opened, e.g. one to this machine. */
	| { code: 'forbiddenLink'; target: string }
	| { code: 'noContent' | 'unreadableContent' }
	| { code: 'emptyFile' | 'incompleteFile'; fileName: string }
	/** A file of another kind came, e.g. a web page. */
	| { code: 'unexpectedFile'; fileName: string; expected: FileKind }
	| { code: 'documentNotInTransaction'; documentId: string }
	/** No signer, or more than one, is the one that was meant. */
	| { code: 'signerNotInTransaction' | 'signerAmbiguous'; signer: string; present: string[] }
	/**
	 * This execution hasn't begun the correction, and the transaction shows it: in the chosen signer, or
	 * where nobody is the chosen one, in `present`.
	 */
	| { code: 'signerCorrectedAlready'; signer: string; present: string[]; isRecalled: boolean }
	/** No answer shows how to invite a signer, who would have to be sent back. */
	| { code: 'signerNotWritable'; signer: string }
	/** The external ID that a signer was to get is another one's. */
	| { code: 'externalIdTaken'; externalId: string; signer: string }
	/** A signer would be written back with one of two fields that require each other. */
	| { code: 'signerIncomplete'; signer: string; missing: string; counterpart: string }
	/** A change would remove settings that no answer shows; `names` are fields of requests. */
	| { code: 'settingsNotShown'; names: string[] }
	/** The service hasn't processed these documents yet, after a wait of so many seconds. */
	| { code: 'documentsPending'; documents: string[]; seconds: number }
	/** The transaction doesn't have the documents yet that a split makes, after a wait of so many seconds. */
	| { code: 'splitRunning'; current: number; expected?: number; pending: string[]; seconds: number }
	/** The service can't process a document; `why` is its own text, where it says why. */
	| { code: 'documentFailed'; document: string; explanation?: string }
	/** Designations refer to the external ID that was to be changed. */
	| { code: 'externalIdInUse'; externalId: string; documents: string[] }
	/**
	 * The transaction isn't in the state that a step needs, or a person has to confirm that the step is
	 * meant in this state. Nothing was sent, but where it has ended after a lost answer.
	 */
	| {
			code: 'wrongState';
			step: 'send' | 'recall' | 'unconfirmed' | 'ended';
			current: { status?: string | null; detailed_status?: string | null };
	  }
	| {
			code: 'signersAreFinal';
			because: 'expired' | 'declined' | 'canceled' | 'completed' | { signer: string };
	  }
	/** A correction stopped half-way; `cause` says why. */
	| { code: 'correctionInterrupted'; progress: CorrectionProgress; cause: Failure };

/** The service, or the way to it, did not do what was asked. */
export class ServiceFailure extends Failure {
	constructor(
		readonly reason: FailureReason,
		flags: FailureFlags = {},
	) {
		super(reason.code, flags);
	}

	override withFlags(flags: FailureFlags): ServiceFailure {
		return new ServiceFailure(this.reason, flags);
	}
}

/**
 * Finds our own failure in a chain of causes, because n8n and Node.js wrap what a stream or a
 * credential throws.
 * @returns undefined when the chain has none
 */
export function findFailure(thrown: unknown): Failure | undefined {
	let link = thrown;
	for (let depth = 0; depth < 5 && link instanceof Error; depth++) {
		if (link instanceof Failure) return link;
		link = link.cause;
	}
	return undefined;
}

/**
 * Finds our own failure in a chain of causes.
 * @param otherwise what to return when the chain has none
 */
export function asFailure(thrown: unknown, otherwise: Failure): Failure {
	return findFailure(thrown) ?? otherwise;
}

/** Marks the failure of a write that may have been done all the same. */
export function withUnknownOutcome(failure: Failure): Failure {
	return failure.withFlags({ ...failure.flags, unknownOutcome: true });
}

/** Returns anything thrown as an Error that can be thrown again. */
export function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Whether the answer was "not found", from the service or from something before it. */
export function isNotFound(thrown: unknown): boolean {
	return getStatusMeaning(findFailure(thrown)?.flags.httpStatus) === 'notFound';
}

/**
 * Whether the service refused a write, and named a field of the request
 * (docs/service/errors.md#errors-of-transactions).
 */
export function refusesField(thrown: unknown, field: string): boolean {
	return findTextsOfField(thrown, field).length > 0;
}

/** How services say that a value is another one's. */
const TAKEN_TEXT = /\b(?:taken|already|unique|exists|duplicate|in use)\b/i;
/** How they say that they don't take a field, or what is in it. */
const NOT_ACCEPTED_TEXT =
	/\b(?:unknown|unpermitted|unrecogni[sz]ed|unexpected|unsupported|invalid|not (?:an? )?(?:allowed|permitted|supported|recogni[sz]ed|accepted|valid|exist)|isn't (?:allowed|permitted|supported|valid)|cannot override|not have access)\b/i;

/** Whether the service refused a write because something has this value of a field already. */
export function saysTaken(thrown: unknown, field: string): boolean {
	return findTextsOfField(thrown, field).some((text) => TAKEN_TEXT.test(text));
}

/** Whether the service refused a write because it doesn't take a field, or not with such a value. */
export function takesNoField(thrown: unknown, field: string): boolean {
	return findTextsOfField(thrown, field).some(
		(text) => NOT_ACCEPTED_TEXT.test(text) && !TAKEN_TEXT.test(text),
	);
}

/** What a refusal says of a field of the request. One that only quotes the request says nothing of it. */
function findTextsOfField(thrown: unknown, field: string): string[] {
	const { status, details: texts = [] } = findRefusal(thrown) ?? {};
	if (!isOfRequest(status)) return [];
	// A signer's field of the same name stands behind a dot or a bracket.
	const name = new RegExp(`(?<![\\w.\\]])${field}\\b`);
	const quoted = new RegExp(`${field}\\W{0,2}\\s*(?::|=>?)\\s*\\W{0,2}["'][^]*[)}]`);
	return texts.filter((text) => name.test(text) && !quoted.test(text));
}

/**
 * Whether the service itself answered that it doesn't have something: with words of its own, not
 * with a web page or an empty body.
 */
export function saysNotFound(thrown: unknown): boolean {
	const { status, structured } = findRefusal(thrown) ?? {};
	return getStatusMeaning(status) === 'notFound' && structured === true;
}

function findRefusal(thrown: unknown): Refusal | undefined {
	const failure = findFailure(thrown);
	const reason = failure instanceof ServiceFailure ? failure.reason : undefined;
	return reason?.code === 'refused' ? reason : undefined;
}
