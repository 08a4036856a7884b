/** The types of everything that the sandbox stores, all of it in memory. */

import type { Clock } from './clock.mts';
import type { Switches } from './config.mts';
import type { IdKind } from './ids.mts';
import type { DetailedStatus, SigningStatus, State, Status } from '../domain/states.mts';
import type { Links } from '../http/signedLinks.mts';

/**
 * full: everything in docs/service/. documented: only what is marked so there
 * (docs/service/README.md#a-documented-only-service).
 */
export type Profile = 'full' | 'documented';
type Role = 'full' | 'clientOnly';
export type Account = 'lender' | 'title' | 'business';
export type Platform = 'business' | 'realEstate';
/** docs/service/api.md#path-layouts */
export type Layout = 'documented' | 'current';
type Feature = 'notary_instructions' | 'sms' | 'text_tags';

/** Fields of a request's body, which has been validated by openapi.yaml. */
export type Fields = Record<string, any>;

export interface Key {
	value: string;
	role: Role;
	organization: string;
}

/** A signer under the names of requests. */
export interface Signer {
	id: string;
	/**
	 * Empty for a group and for a cosigner: answers always have the field, and nobody says what it is
	 * for them (docs/service/signers.md#cosigner).
	 */
	email: string;
	/** Somebody signs who reads this inbox (docs/service/signers.md#groups-as-signers). */
	recipient_group?: { shared_inbox_email?: string };
	/** Came as `cosigner` (docs/service/signers.md#cosigner). */
	isCosigner?: boolean;
	first_name?: string;
	middle_name?: string;
	last_name?: string;
	external_id?: string;
	order?: number;
	/** Absent while the transaction is a draft (docs/service/states.md#signing-status). */
	signing_status?: SigningStatus;
	[field: string]: unknown;
}

/** A place on a page where somebody signs or fills something in. */
export interface Designation {
	signer_identifier: string;
	type: string;
	page_number: number;
	x: number;
	y: number;
	width: number;
	height: number;
	hint?: string;
	instruction?: string;
	optional?: boolean;
	primary_designation_identifier?: string;
	conditional_on_primary?: string;
	/** Live services name the group in an object of its own. */
	signing_designation_group?: string | DesignationGroup;
}

/** Designations of which only some are needed. */
export interface DesignationGroup {
	name: string;
	min_required?: number;
	max_required?: number;
}

/**
 * How far a signer has come with the identity checks. Answers show only how they ended
 * (docs/service/signers.md#e-signature-authentication-records).
 */
export interface Identity {
	selfieFailures: number;
	/** What the answers to the knowledge-based questions have shown, once they were given. */
	knowledge?: 'passed' | 'failed';
	/** Failures since the questions could be tried last. */
	knowledgeFailures?: number;
	/** Until when the signer can't go on after too many failures, in milliseconds since 1970. */
	lockedUntil?: number;
	/** Whether the last comparison has shown the signer. */
	selfie?: 'passed' | 'failed';
	/** Whether the photo IDs were found genuine. */
	credentials?: 'passed' | 'failed';
	/**
	 * Redirected to the trusted referee after the last failure
	 * (docs/service/signers.md#selfie-retakes).
	 */
	atReferee: boolean;
	/** The optional designations that the signer selected. */
	selected?: string[];
}

export interface Document {
	id: string;
	name: string;
	requirement: string;
	created: string;
	updated: string;
	position: number;
	isEnote: boolean;
	/** Added by the service itself (docs/service/documents.md#consent-forms). */
	isConsentForm: boolean;
	uploaded: Buffer;
	/** The XML of an eNote that came as a whole; `uploaded` is how it looks on paper. */
	note?: Buffer;
	/** 0 for a PDF that can't be read. */
	pages: number;
	state: 'pending' | 'done' | 'failed';
	/** Why the service could not process it, unless it gives no reason. */
	processingError?: string;
	/** What reading a PDF has found, until its processing ends and applies it. */
	found?: { error?: string; textTags: Designation[] };
	designations: Designation[];
	groups: DesignationGroup[];
	flags: Fields;
	final?: Buffer;
	rejectionReason?: string;
}

interface HistoryEntry {
	at: string;
	status: string;
	detailed_status: string;
	what: string;
}

export interface Transaction {
	id: string;
	platform: Platform;
	organization: string;
	created: string;
	updated: string;
	status: Status;
	detailedStatus: DetailedStatus;
	signers: Signer[];
	/** By signer id. */
	identities: Map<string, Identity>;
	documents: Document[];
	/**
	 * The fields of the bodies that created and changed it, under the names of requests, without
	 * signers, documents and what is not stored.
	 */
	fields: Fields;
	/** Of the latest recall (docs/service/transactions.md#recall). */
	recallReason?: string;
	/** The latest notarization record, which is the last of recordIds. */
	recordId?: string;
	recordIds: string[];
	/** PDFs, once the transaction has ended. */
	auditTrail?: Buffer;
	chargeStatement?: Buffer;
	attachment?: Buffer;
	/** Only where the identity of signers was checked. */
	identityReport?: Buffer;
	/** The import of external documents that is under way. */
	importing?: { code: string };
	/** How many bookmarked PDFs are being split. */
	splitting: number;
	/**
	 * Whether the finished documents can be downloaded. False until a signer who pays has paid
	 * (docs/service/states.md#fixed-behaviours).
	 */
	released: boolean;
	/** The state in which it was held. It continues from there. */
	heldFrom?: Required<State>;
	/** Signed on paper, wholly or (hybrid types) in part. */
	onPaper?: boolean;
	/** The state in which it has ended, or will end once the signer has paid. */
	outcome?: Required<State>;
	/** Why nobody can do anything with it any more: it was declined or canceled. */
	ended?: string;
	/** Every state it was in, in order. */
	history: HistoryEntry[];
	/** The lines of the audit trail. */
	auditLog: string[];
}

export type Compliance = 'created' | 'needs_review' | 'compliant' | 'non_compliant';

export interface Notary {
	id: string;
	/** Whose account the notary belongs to. */
	organization: string;
	name: string;
	email: string;
	state: string;
	county: string;
	registration: string;
	/**
	 * Where the account's review of the notary stands (docs/service/notarization.md#notary-statuses).
	 */
	compliance: Compliance;
}

export interface NotarizationRecord {
	id: string;
	transactionId: string;
	start: string;
	end: string;
	notary: Notary;
	pictures: Record<string, Buffer>;
	/** Undefined until the recording is processed (docs/service/notarization.md#meeting-video). */
	video?: Buffer;
}

export interface Webhook {
	id: string;
	/** No answer has it; the console shows it. */
	created: string;
	organization: string;
	url: string;
	subscriptions: string[];
	signingKey?: string;
	apiKey: string;
	/** Empty when there is none, or when `headers` disables it. */
	header: string;
	headers: string[];
	/** Name of the header that carries the id of a delivery. */
	requestIdHeader: string;
	/** Where the receiver's token comes from, which replaces signature and headers. */
	oauth?: OAuthConfig;
	enabled: boolean;
	events: EventRecord[];
}

export interface OAuthConfig {
	oauth_token_url: string;
	client_id: string;
	client_secret: string;
}

/** A record of what was delivered (docs/service/webhooks.md#event-records). */
export interface EventRecord {
	event: string;
	response: { code: number; body: string; error: string; headers?: Record<string, string> };
	delivered: string;
	/** A string of JSON. On live services, some payloads are objects. */
	payload: string | object;
}

/** What an event is about, beside its transaction (docs/service/webhooks.md#data-of-deliveries). */
export interface EventDetails {
	document?: { document_id: string; name: string };
	/** `api_url` leads to the recording. */
	meeting?: { meeting_id: string; api_url: string };
	notary_id?: string;
	transaction_access_link?: string;
	/** The signers that it is about. The delivery says how their identity checks went. */
	signers?: Signer[];
}

export interface Settings {
	profile: Profile;
	splitSeconds: number;
	processingMs: number;
	videoLagSeconds: number;
	assuranceField: string;
	/**
	 * The kind of account that the keys belong to. Real estate needs a lender or a title account
	 * (docs/service/README.md#the-two-platforms), eNotes need a lender
	 * (docs/service/closings.md#enote).
	 */
	account: Account;
	/** Which platforms the account may use (docs/service/errors.md#wrong-platform). */
	platforms: 'both' | Platform;
	/** What the account may not use (docs/service/errors.md#errors-of-transactions). */
	missingFeatures: Feature[];
	/** Which path layouts it understands (docs/service/api.md#path-layouts). */
	layout: 'both' | Layout;
	/**
	 * automatic: an order goes to the signer at once. manual: a person plays the closing team
	 * (docs/service/closings.md#closing-team).
	 */
	closingTeam: 'automatic' | 'manual';
	/** Which fields show that a transaction is canceled (docs/service/states.md#canceled). */
	canceledIn: 'both' | 'status' | 'detailedStatus';
	/**
	 * Whether `transaction.canceled` can be subscribed to: the list has it, the list has it and a
	 * webhook with it is refused, or neither (docs/service/webhooks.md#events-of-transactions).
	 * Wildcards get it in any case.
	 */
	canceledEvent: 'offered' | 'refused' | 'unlisted';
	/** fails: no document that is added can be processed (docs/service/documents.md#processing). */
	processing: 'succeeds' | 'fails';
	/** The account's, for documents that say none (docs/service/documents.md#text-tags). */
	defaultTextTagSyntax?: 'standard' | 'standard_hidden';
	/** What live services may do in more than one way. Tests may change one at any time. */
	switches: Switches;
}

export interface World {
	settings: Settings;
	clock: Clock;
	links: Links;
	/** The API's own origin. */
	origin: () => string;
	newId: (kind: IdKind) => string;
	keys: Key[];
	parent: string;
	child: string;
	notaries: Notary[];
	transactions: Map<string, Transaction>;
	records: Map<string, NotarizationRecord>;
	webhooks: Map<string, Webhook>;
	/** Delivers an event of a transaction to the webhooks (docs/service/webhooks.md#deliveries). */
	emit: (event: string, transaction: Transaction, details?: EventDetails) => void;
	/**
	 * Delivers an event of a notary of the account, without a transaction
	 * (docs/service/webhooks.md#events-of-notaries).
	 */
	emitNotary: (event: string, notary: Notary) => void;
}
