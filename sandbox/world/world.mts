/** The types of everything that the sandbox stores, all of it in memory. */

import type { Clock } from './clock.mts';
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

/** Fields of a request's body, which has been validated by openapi.yaml. */
export type Fields = Record<string, any>;

export interface Key {
	value: string;
	role: Role;
	organization: string;
}

export interface Signer {
	id: string;
	email: string;
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
	signing_designation_group?: string;
}

/** Designations of which only some are needed. */
export interface DesignationGroup {
	name: string;
	min_required?: number;
	max_required?: number;
}

/** How far a signer has come with the identity checks. No answer of the service shows it. */
export interface Identity {
	selfieFailures: number;
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
	uploaded: Buffer;
	pages: number;
	state: 'pending' | 'done';
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
	/** The fields of the body that created it, without documents and signers. */
	fields: Fields;
	/** The latest notarization record, which is the last of recordIds. */
	recordId?: string;
	recordIds: string[];
	/** The PDF, once the transaction has ended. */
	auditTrail?: Buffer;
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
	organization: string;
	url: string;
	subscriptions: string[];
	signingKey?: string;
	apiKey: string;
	header?: string;
	headers: string[];
	enabled: boolean;
	events: EventRecord[];
}

/**
 * A record of what was delivered (docs/service/webhooks.md#event-records). Live services add
 * response.headers.
 */
export interface EventRecord {
	event: string;
	response: { code: number; body: string; error: string; headers?: Record<string, string> };
	delivered: string;
	/** A string of JSON. On live services, some payloads are objects. */
	payload: string | object;
}

interface Settings {
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
	/**
	 * automatic: an order goes to the signer at once. manual: a person plays the closing team
	 * (docs/service/closings.md#closing-team).
	 */
	closingTeam: 'automatic' | 'manual';
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
	emit: (event: string, transaction: Transaction, more?: object) => void;
	/**
	 * Delivers an event of a notary of the account, without a transaction
	 * (docs/service/webhooks.md#events-of-notaries).
	 */
	emitNotary: (event: string, notary: Notary) => void;
}
