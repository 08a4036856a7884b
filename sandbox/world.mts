import type { Clock } from './clock.mts';
import type { IdKind } from './ids.mts';
import type { Designation } from './pdf.mts';

/** Everything the sandbox knows, in memory. */

export type Profile = 'full' | 'documented';
export type Role = 'full' | 'clientOnly';

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
	phone_number?: string;
	external_id?: string;
	signing_status?: 'incomplete' | 'in_progress' | 'complete';
	assurance_requirement?: object;
	[field: string]: unknown;
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
	flags: Record<string, boolean>;
	final?: Buffer;
	rejectionReason?: string;
}

export interface Transaction {
	id: string;
	platform: 'business' | 'realEstate';
	organization: string;
	created: string;
	updated: string;
	status: string;
	detailedStatus: string;
	signers: Signer[];
	documents: Document[];
	/** Creation fields as they came, documents and signers apart. */
	fields: Record<string, unknown>;
	recordId?: string;
	auditTrail?: Buffer;
	/** What happened, in order: states for those who watch, lines for the audit trail. */
	history: Array<{ at: string; status: string; detailed_status: string; what: string }>;
}

export interface NotarizationRecord {
	id: string;
	transactionId: string;
	start: string;
	end: string;
	notary: string;
	pictures: Record<string, Buffer>;
	video: Buffer;
}

export interface Webhook {
	id: string;
	organization: string;
	url: string;
	subscriptions: string[];
	signingKey?: string;
	apiKey: string;
	headers: string[];
	enabled: boolean;
	events: EventRecord[];
}

/** interface.md §2, Webhook event record; headers and attempt are what live services add. */
export interface EventRecord {
	event: string;
	response: { code: number; body: string; error: string };
	delivered: string;
	payload: string;
	attempt: number;
}

export interface World {
	profile: Profile;
	clock: Clock;
	newId: (kind: IdKind) => string;
	keys: Key[];
	parent: string;
	child: string;
	transactions: Map<string, Transaction>;
	records: Map<string, NotarizationRecord>;
	webhooks: Map<string, Webhook>;
	/** Tells the webhooks and the console. */
	emit: (event: string, transaction: Transaction, more?: object) => void;
}

/** A key of the parent sees the parent's and all children's, a child's key its own (interface.md §5.3). */
export function maySee(world: World, key: Key, organization: string): boolean {
	return key.organization === organization || key.organization === world.parent;
}

/** Moves a transaction and keeps the story. */
export function move(world: World, transaction: Transaction, status: string, detailedStatus: string, what: string): void {
	transaction.status = status;
	transaction.detailedStatus = detailedStatus;
	transaction.updated = world.clock.stamp();
	transaction.history.push({ at: transaction.updated, status, detailed_status: detailedStatus, what });
}
