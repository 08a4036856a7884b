import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A service that makes up its transactions and event records while they are asked for. It runs as a
 * process of its own, so that what it takes isn't measured. Its parent says what it has.
 */

export interface MadeUp {
	/** How many closings its list has. Their IDs begin with ot_. */
	closings: number;
	/** Every how many of them is completed. The others are open. */
	completedEvery: number;
	/** How large one is, in bytes of JSON. */
	closingBytes: number;
	/** How many event records each webhook has, all of the last hour and delivered. */
	records: number;
	/** Milliseconds until it answers with a page of event records. */
	recordsMs: number;
	/** Whether it enables a disabled webhook. */
	enables: boolean;
	/** Disables the webhooks that it has now. */
	disable?: boolean;
	/** Forgets the webhooks that it has now. */
	forget?: boolean;
}

/** What it tells its parent: where it listens, or how many requests it has answered since the last message. */
export interface Told {
	url: string;
	requests: number;
}

const HOUR_MS = 3_600_000;
const begin = Date.now();
const isoTime = (ms: number) => new Date(ms).toISOString();
const webhooks = new Map<string, { id: string; enabled: boolean }>();
let made: MadeUp;
let url = '';
let requests = 0;
let filler: object[] = [];

/** Documents of about this size together, as small objects: they take more memory than one long text. */
function documentsOf(bytes: number): object[] {
	const document = {
		document_id: 'do_0123456789abcdef0123',
		document_name: 'Deed of Trust',
		requirement: 'notarization',
		processing_state: 'done',
		signing_requires_meeting: true,
		date_created: isoTime(begin),
	};
	const count = Math.ceil(bytes / (JSON.stringify(document).length + 1));
	return Array.from({ length: count }, () => document);
}

function closingOf(id: string): object {
	const isCompleted = Number(id.slice('ot_'.length)) % made.completedEvery === 0;
	return {
		id,
		status: isCompleted ? 'completed' : 'sent',
		detailed_status: isCompleted ? 'complete' : 'sent_to_signer',
		date_created: isoTime(begin - HOUR_MS),
		// Not so new that its delivery may be under way.
		date_updated: isoTime(begin - 60_000),
		documents: filler,
		signer_info: { id: 'si_1', email: 'jane@example.com', signing_status: 'complete' },
	};
}

function recordOf(index: number): object {
	const time = isoTime(begin - Math.round((HOUR_MS / made.records) * index));
	const data = { transaction_id: `ot_of_record_${index}`, date_occurred: time };
	return {
		event: 'transaction.completed',
		delivered: time,
		response: { code: 200, body: '', headers: {} },
		payload: JSON.stringify({ event: 'transaction.completed', data }),
	};
}

/** One page of a list with `count` entries. */
function pageOf(query: URLSearchParams, count: number, entryOf: (index: number) => object) {
	const offset = Number(query.get('offset') ?? 0);
	const length = Math.max(0, Math.min(count - offset, Number(query.get('limit') ?? 20)));
	return Array.from({ length }, (_, index) => entryOf(offset + index));
}

/** Returns the answer to a request; undefined for a 404. */
async function answerTo(method: string, { pathname, searchParams }: URL, body: string) {
	const [, id, records] = /\/webhooks(?:\/([^/]*))?(\/events)?/.exec(pathname) ?? [];
	if (pathname.includes('/webhooks')) {
		if (id === 'subscriptions') return undefined;
		if (records !== undefined) {
			await sleep(made.recordsMs);
			return webhooks.has(id) ? pageOf(searchParams, made.records, recordOf) : undefined;
		}
		if (method === 'POST') {
			const webhook = { ...JSON.parse(body), id: `wh_${requests}_${Date.now()}`, enabled: true };
			webhooks.set(webhook.id, webhook);
			return webhook;
		}
		if (id === undefined || id === '') return [...webhooks.values()];
		const webhook = webhooks.get(id);
		if (webhook === undefined) return undefined;
		if (method === 'DELETE') webhooks.delete(id);
		if (method === 'PUT')
			Object.assign(webhook, JSON.parse(body), { enabled: webhook.enabled || made.enables });
		return webhook;
	}
	const [, transactionId] = /\/transactions\/(ot_\d+)$/.exec(pathname) ?? [];
	if (transactionId !== undefined) return closingOf(transactionId);
	const isRealEstate = pathname.startsWith('/mortgage/');
	return pageOf(searchParams, isRealEstate ? made.closings : 0, (index) =>
		closingOf(`ot_${index}`),
	);
}

const server = createServer((request, response) => {
	void (async () => {
		const answer = await answerTo(
			request.method ?? '',
			new URL(request.url ?? '', 'http://127.0.0.1'),
			await text(request),
		);
		requests += 1;
		response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer ?? { errors: ['Not found'] }));
	})();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.on('message', (message: MadeUp) => {
	made = message;
	filler = documentsOf(made.closingBytes);
	if (made.disable === true) for (const webhook of webhooks.values()) webhook.enabled = false;
	if (made.forget === true) webhooks.clear();
	process.send!({ url, requests } satisfies Told);
	requests = 0;
});
process.on('disconnect', () => process.exit());
process.send!({ url, requests } satisfies Told);
