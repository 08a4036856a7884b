import type { Clock } from './clock.mts';
import type { Designation, DesignationGroup } from '../domain/designations.mts';
import type { IdKind } from './ids.mts';
import type { Links } from '../http/signedLinks.mts';

/** What the sandbox knows, in memory: the shapes. */

/** full: all of gaps.md. documented: only what interface.md shows. */
export type Profile = 'full' | 'documented';
export type Role = 'full' | 'clientOnly';
export type Account = 'lender' | 'title' | 'business';
export type Platform = 'business' | 'realEstate';

/** Parts of a body, checked by openapi.yaml before they get here. */
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
	/** Absent while the transaction is a draft (gaps.md §5). */
	signing_status?: 'incomplete' | 'in_progress' | 'complete';
	[field: string]: unknown;
}

/** What the service knows of a signer's identity checks and does not answer. */
export interface Identity {
	selfieFailures: number;
	/** Redirected after the last failure (interface.md §3.4). */
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

export interface HistoryEntry {
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
	status: string;
	detailedStatus: string;
	signers: Signer[];
	/** By signer id. */
	identities: Map<string, Identity>;
	documents: Document[];
	/** Creation fields as they came, documents and signers apart. */
	fields: Fields;
	/** The latest of recordIds. */
	recordId?: string;
	recordIds: string[];
	auditTrail?: Buffer;
	/** Bookmarked PDFs that are being split. */
	splitting: number;
	/** False where the signer pays and has not yet (gaps.md §5). */
	released: boolean;
	/** The state in which it was held. It continues from there. */
	heldFrom?: Pick<Transaction, 'status' | 'detailedStatus'>;
	/** Signed on paper, wholly or (hybrid types) in part. */
	onPaper?: boolean;
	/** detailed_status of the end that was reached, kept while a payment is awaited. */
	outcome?: string;
	/** Why nobody can do anything any more, in words, where no status says it: declined, canceled. */
	ended?: string;
	/** Every state it was in, in order. */
	history: HistoryEntry[];
	/** Lines for the audit trail. */
	story: string[];
}

export type Compliance = 'created' | 'needs_review' | 'compliant' | 'non_compliant';

export interface Notary {
	id: string;
	name: string;
	email: string;
	state: string;
	county: string;
	registration: string;
	/** Where the account's review of the notary stands (gaps.md §8, notary.). */
	compliance: Compliance;
}

export interface NotarizationRecord {
	id: string;
	transactionId: string;
	start: string;
	end: string;
	notary: Notary;
	pictures: Record<string, Buffer>;
	/** Undefined until the recording is processed (gaps.md §7). */
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
 * interface.md §2, Webhook event record; response.headers is what live services add (gaps.md §8).
 */
export interface EventRecord {
	event: string;
	response: { code: number; body: string; error: string; headers?: Record<string, string> };
	delivered: string;
	/** A string of JSON; some payloads are objects on live services (gaps.md §8). */
	payload: string | object;
}

export interface Settings {
	profile: Profile;
	splitSeconds: number;
	processingMs: number;
	videoLagSeconds: number;
	assuranceField: string;
	/**
	 * Kind of account behind the keys (interface.md §1: real estate needs a lender or title account;
	 * §4: eNotes are for lenders).
	 */
	account: Account;
	/**
	 * automatic: an order goes on to the signer at once; manual: a person plays the closing team
	 * (interface.md §3.1).
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
	/** Tells the webhooks (interface.md §6). */
	emit: (event: string, transaction: Transaction, more?: object) => void;
	/** Tells of a notary of the account, without a transaction (gaps.md §8, notary.). */
	emitNotary: (event: string, notary: Notary) => void;
}
