import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { CLOSING, completedClosing, id } from '../../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';

/** The API key, made easy to find: where it must not appear. */

const CANARY = 'canary-5f1d0c9e7b3a4286';
let sandbox: Sandbox;
let other: Sandbox;
const credential = () =>
	credentialFor(sandbox.url, { apiKey: CANARY, webhookSigningSecret: `${CANARY}-signing` });
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox({
		filesOrigin: 'separate',
		keys: { full: CANARY, clientOnly: 'only', childFull: 'child' },
	});
	other = await startSandbox();
});
afterAll(async () => await Promise.all([sandbox.close(), other.close()]));

const get = (value: string) => ({
	resource: 'transaction',
	operation: 'get',
	platform: 'realEstate',
	transactionId: id(value),
	simplify: false,
	output: 'raw',
});

test('is in no output of what goes well, and in no request for a file', async () => {
	const transactionId = await completedClosing(sandbox, credential());
	const transaction = sandbox.world.transactions.get(transactionId)!;
	const runs = [
		get(transactionId),
		{
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(transaction.documents[0].id),
			binaryPropertyName: 'data',
		},
		{
			resource: 'notarizationRecord',
			operation: 'downloadVideo',
			platform: 'realEstate',
			recordId: id(transaction.recordId!),
			binaryPropertyName: 'data',
		},
	];
	for (const parameters of runs) {
		const { run, error } = await runNode({ credential: credential(), parameters });
		expect(error).toBeUndefined();
		expect(serialize(run)).not.toContain(CANARY);
	}
	expect(sandbox.fileRequests.length).toBeGreaterThan(0);
	expect(JSON.stringify(sandbox.fileRequests)).not.toContain(CANARY);
});

test('is in nothing that a failure leaves, and goes to no other host: refusals that echo it, cut connections, redirects, foreign links', async () => {
	const faults = [
		{ status: 422, body: { errors: [`The key ${CANARY} may not do this`] } },
		{ status: 500, body: `Trace: ApiKey=${CANARY}`, times: 2 },
		{ status: 302, headers: { location: `${other.url}/?key=${CANARY}` } },
		{ status: 200, body: `<html>${CANARY}</html>` },
		{ kind: 'cutMidBody' as const, times: 2 },
		{ kind: 'cutBefore' as const, times: 2 },
	];
	for (const fault of faults) {
		for (const node of [{}, { onError: 'continueErrorOutput' as const }]) {
			sandbox.faults.clear();
			sandbox.faults.add({ method: 'POST', ...fault });
			const outcome = await runNode({ credential: credential(), parameters: CLOSING, node });
			expect(outcome.error ?? outcome.errorItems[0]?.json.error ?? outcome.items[0]).toBeDefined();
			expect(serialize(outcome)).not.toContain(CANARY);
		}
	}
	sandbox.faults.clear();
	const { transaction_id: value } = (
		await runNode({ credential: credential(), parameters: CLOSING })
	).items[0].json;
	sandbox.faults.add({
		method: 'GET',
		status: 200,
		body: { id: value, audit_trail_url: `${other.url}/v2/webhooks`, documents: [] },
	});
	const foreign = await runNode({
		credential: credential(),
		parameters: {
			resource: 'transaction',
			operation: 'getAuditTrail',
			platform: 'realEstate',
			transactionId: id(String(value)),
			binaryPropertyName: 'data',
		},
	});
	expect(serialize(foreign)).not.toContain(CANARY);
	expect(other.requests.length).toBeGreaterThan(0);
	expect(JSON.stringify(other.requests)).not.toContain(CANARY);
});

test('a refusal that echoes a link or a token of a signer shows neither', async () => {
	sandbox.faults.clear();
	const token = 'bearer-8d21';
	for (const text of [
		`Could not fetch https://files.example.com/deed.pdf?signature=${token}`,
		`sdk_token: ${token}`,
	]) {
		sandbox.faults.add({ method: 'POST', status: 422, body: { errors: [text] } });
		const outcome = await runNode({ credential: credential(), parameters: CLOSING });
		expect(outcome.error?.message).toMatch(/deed\.pdf|sdk_token/);
		expect(serialize(outcome)).not.toContain(token);
	}
});

/** Everything reachable, errors with their causes and own properties included. */
function serialize(value: unknown): string {
	const seen = new Set<unknown>();
	const parts: string[] = [];
	const walk = (entry: unknown): void => {
		if (typeof entry === 'string') parts.push(entry);
		if (typeof entry !== 'object' || entry === null || seen.has(entry) || Buffer.isBuffer(entry))
			return;
		seen.add(entry);
		for (const key of Reflect.ownKeys(entry)) {
			parts.push(String(key));
			walk((entry as Record<PropertyKey, unknown>)[key]);
		}
	};
	walk(value);
	return parts.join('\n');
}
