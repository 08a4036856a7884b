import { createHash } from 'node:crypto';

import type { Effect, Json, Platform, ServiceOptions } from '../types.mts';

export interface SignerRecord {
	signer_id: string;
	/** As the request gave it. */
	fields: Json;
}

export interface DocumentRecord {
	id: string;
	name: string;
	requirement: string;
	fields: Json;
	content: Buffer;
	/** URL or permalink that the content would be fetched from. */
	source?: string;
	position: number;
	created: number;
	updated: number;
	/** From then on `processing_state` is `done`. */
	processedAt: number;
	isEnote: boolean;
	isConsentForm: boolean;
	designations: string[];
}

export interface TransactionRecord {
	id: string;
	platform: Platform;
	/** The creation fields as they were sent, without signers and documents. */
	fields: Json;
	signers: SignerRecord[];
	documents: DocumentRecord[];
	/** Documents that a split makes, with the time from when they exist. */
	splits: Array<{ at: number; documents: DocumentRecord[] }>;
	status: string;
	detailedStatus: string;
	created: number;
	updated: number;
	recallReason?: string;
	recordIds: string[];
}

export interface WebhookRecord {
	id: string;
	fields: Json;
	events: Json[];
}

export interface MeetingRecord {
	id: string;
	transactionId: string;
	platform: Platform;
	start: number;
}

/** Everything the service knows. Handlers are synchronous, so each write is done at once or not. */
export class World {
	readonly options: ServiceOptions;
	readonly transactions = new Map<string, TransactionRecord>();
	readonly webhooks = new Map<string, WebhookRecord>();
	readonly records = new Map<string, MeetingRecord>();
	readonly notaries = new Map<string, Json>();
	readonly templates: Json[] = [];
	readonly effects: Effect[] = [];
	readonly organizationId = 'or_od4kenk';
	/** Origins are known when the ports are open. */
	origin = '';
	files = '';
	onEvent: (webhook: WebhookRecord, record: Json) => void = () => {};
	private lastId = 0;
	private lastTime = 0;

	constructor(options: ServiceOptions) {
		this.options = options;
		for (let number = 1; number <= options.templates; number++) {
			const id = this.newId('od');
			const created_at = iso(this.now());
			const name = `Template ${number}`;
			const permalink = `template-${id}`;
			this.templates.push({ id, name, permalink, created_at, updated_at: created_at });
		}
		for (let number = 1; number <= options.notaries; number++)
			this.addNotary({
				email: `notary${number}@example.com`,
				first_name: 'Nora',
				last_name: `Notary ${number}`,
				us_state_abbr: 'VA',
				status: 'compliant',
			});
	}

	/** A time that is later than any before, so that lists have one order. */
	now(): number {
		this.lastTime = Math.max(Date.now(), this.lastTime + 1);
		return this.lastTime;
	}

	/** The forms of docs/service/README.md#identifiers. */
	newId(prefix: string): string {
		const hash = createHash('sha256').update(`${prefix}${++this.lastId}`).digest('hex');
		if (prefix !== 'do_' && prefix !== 'ad') return prefix + readable(hash);
		return `${prefix}${[hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')}`;
	}

	note(kind: string, id: string, requestNumber: number, marker: string): void {
		this.effects.push({ kind, id, at: Date.now(), requestNumber, marker });
	}

	addNotary(fields: Json): Json {
		const id = this.newId('us_');
		const compliant = fields.status === 'compliant';
		const notary = {
			id,
			status: 'not_compliant',
			status_description: compliant
				? 'Notary is clear to take meetings.'
				: 'Notary is missing required documentation.',
			...fields,
		};
		this.notaries.set(bare(id), notary);
		return notary;
	}

	/** Documents of a split appear when their time has come. */
	settle(transaction: TransactionRecord): TransactionRecord {
		for (const split of transaction.splits.filter(({ at }) => at <= Date.now())) {
			transaction.splits.splice(transaction.splits.indexOf(split), 1);
			transaction.documents.push(...split.documents);
		}
		return transaction;
	}

	/** Records an event for each webhook that has subscribed to it. */
	emit(event: string, transaction: TransactionRecord, more: Json = {}): void {
		const data = {
			transaction_id: transaction.id,
			date_occurred: iso(this.now()),
			organization_name: 'Fault Organization',
			...more,
		};
		for (const webhook of this.webhooks.values()) {
			const names: string[] = webhook.fields.subscriptions;
			const wanted = names.some(
				(name) => name === '*' || name === event || name === `${event.split('.')[0]}.*`,
			);
			if (!wanted) continue;
			const record: Json = {
				event,
				payload: JSON.stringify({ event, data }),
				delivered: iso(this.now()),
				response: { code: 200, body: '', headers: {} },
			};
			webhook.events.unshift(record);
			this.onEvent(webhook, record);
		}
	}
}

/** Identifiers are compared without the underscore (docs/service/README.md#identifiers). */
export function bare(id: string): string {
	return id.replace('_', '');
}

/** ISO 8601 in UTC with microseconds (docs/service/transactions.md#times). */
export function iso(milliseconds: number): string {
	return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

export function isDraft(transaction: TransactionRecord): boolean {
	return transaction.status === 'started';
}

/** A reference that a person gave. One of the node's own tells a test nothing. */
export const referenceOf = (value: unknown) => (/^n8n-/.test(String(value)) ? undefined : value);

/** What identifies a transaction to a test. */
export function markerOf(transaction: TransactionRecord): string {
	const { external_id, transaction_name, loan_number, file_number } = transaction.fields;
	const named = referenceOf(external_id) ?? transaction_name ?? loan_number ?? file_number;
	return String(named ?? transaction.signers[0]?.fields.email ?? transaction.id);
}

function readable(hash: string): string {
	return BigInt(`0x${hash}`).toString(36).slice(1, 8);
}
