import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';

import { itemsOf, outputOf, whyFailed, type Execution } from '../../host/clients/n8nApi.mts';
import { checkArchive } from '../../host/demo/archiveFolder.mts';
import { Console } from '../../host/clients/sandboxConsole.mts';
import { readExample } from '../../host/demo/setUp.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import { startHost, type Host } from './support/host.mts';

/**
 * The example flows, imported and run as a person does, with a chat that takes messages and a mail
 * server that takes mails.
 */

const TEAM = 'closing.team@example.com';
let host: Host;
let chat: Server;
let mail: SMTPServer;
let said: string[] = [];
let mails: string[] = [];
let flows: { closing: string; route: string; nightly: string; archive: string };
beforeAll(async () => {
	chat = createServer(async (request, response) => {
		said.push((JSON.parse(await text(request)) as { text: string }).text);
		response.end('ok');
	}).listen(0, '127.0.0.1');
	mail = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onData: (stream, _session, done) =>
			void text(stream).then((letter) => {
				// Long lines are folded (quoted-printable).
				mails.push(letter.replace(/=\r?\n/g, ''));
				done();
			}, done),
	});
	const mailPort = await new Promise<number>((ready) => {
		const server = mail.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port));
	});
	host = await startHost();
	mkdirSync(host.folder, { recursive: true });
	const smtp = await host.api.saveCredential('Mail of the office', 'smtp', {
		user: '',
		password: '',
		host: '127.0.0.1',
		port: mailPort,
		secure: false,
		disableStartTls: true,
		hostName: '',
	});
	const places = {
		sandboxUrl: host.sandbox.url,
		archiveFolder: host.folder,
		chatUrl: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook`,
		teamMail: TEAM,
		fromMail: 'closings@example.com',
	};
	const save = async (name: string) =>
		(await host.api.saveWorkflow(readExample(name, places, { ...host.credentials, smtp }))).id;
	flows = {
		closing: await save('refinance-closing'),
		route: await save('route-by-status'),
		nightly: await save('nightly-reconciliation'),
		archive: await save('archive-completed-transactions'),
	};
}, 300_000);
afterAll(async () => {
	await host?.stop();
	chat?.close();
	await new Promise<void>((closed) => mail?.close(closed));
}, 60_000);
beforeEach(() => {
	said = [];
	mails = [];
});

/** A closing made by the first example, sent to its signer. */
async function sentClosing(): Promise<string> {
	const run = await host.api.runToEnd(flows.closing);
	expect(whyFailed(run)).toBe('');
	return String(outputOf(run, 'Send closing')[0].transaction_id);
}

/** Does something, and waits for the runs of the flow that it starts. */
async function runsOf(count: number, work: () => Promise<unknown>): Promise<Execution[]> {
	const before = new Set((await host.api.executions(flows.route)).map(({ id }) => id));
	await work();
	const runs = await host.api.waitForExecutions(flows.route, count, {
		except: before,
		waitMs: 30_000,
	});
	for (const run of runs) expect(whyFailed(run)).toBe('');
	return runs;
}

/**
 * What the service holds of a closing and every archive should: its documents and the audit trail.
 */
async function held(transactionId: string) {
	return (await new Console(host.sandbox.url).files(transactionId)).filter(
		({ kind }) => kind === 'document' || kind === 'auditTrail',
	);
}

const archived = (transactionId: string) =>
	readdirSync(host.folder).filter((name) => name.startsWith(transactionId));

test('every example is run by a test', () => {
	// The first and the last of them by closing.test.mts as well.
	expect(readdirSync(join(ROOT, 'examples')).sort()).toEqual([
		'archive-completed-transactions.json',
		'nightly-reconciliation.json',
		'refinance-closing.json',
		'route-by-status.json',
	]);
});

describe('route by status', () => {
	let finished: string;
	beforeAll(async () => await host.api.publish(flows.route));
	afterAll(async () => await host.api.unpublish(flows.route));

	test('what is under way is told in the chat', async () => {
		await runsOf(1, async () => (finished = await sentClosing()));
		expect(said).toEqual([expect.stringMatching(/: sent to signer$/)]);
		expect(mails).toEqual([]);
	});
	test('what is finished goes into the archive, byte for byte, and is told in the chat once', async () => {
		// Completed and released.
		await runsOf(2, async () => await host.sandbox.act.completeClosing(finished));
		expect(said).toEqual([expect.stringMatching(/: complete$/)]);
		expect(mails).toEqual([]);
		expect(await checkArchive(host.folder, finished, await held(finished))).toMatchObject({
			complaints: [],
		});
		expect(archived(finished).length).toBeGreaterThan(3);
	});
	test('where the signer pays, the archive waits for the payment', async () => {
		let unpaid = '';
		await runsOf(1, async () => (unpaid = await sentClosing()));
		host.sandbox.world.transactions.get(unpaid)!.fields.payer = 'signer';
		await runsOf(1, async () => await host.sandbox.act.completeClosing(unpaid));
		expect(said.at(-1)).toMatch(/: awaiting payment$/);
		expect(archived(unpaid)).toEqual([]);
		await runsOf(1, async () => await host.sandbox.act.signerPays(unpaid));
		expect(await checkArchive(host.folder, unpaid, await held(unpaid))).toMatchObject({
			complaints: [],
		});
	});
	test('a rejected one is archived and mailed to the team', async () => {
		let rejected = '';
		await runsOf(3, async () => {
			rejected = await sentClosing();
			await host.sandbox.act.reject(rejected);
		});
		expect(mails).toHaveLength(1);
		expect(mails[0]).toContain(`To: ${TEAM}`);
		expect(mails[0]).toContain('Event: transaction.completed_with_rejections');
		expect(archived(rejected)).toEqual(
			expect.arrayContaining([expect.stringMatching(/Audit trail/)]),
		);
	});
	test('an expired one is mailed, and nothing is archived', async () => {
		let expired = '';
		await runsOf(2, async () => {
			expired = await sentClosing();
			await host.sandbox.act.expires(expired);
		});
		expect(mails).toEqual([expect.stringContaining('State: expired')]);
		expect(archived(expired)).toEqual([]);
	});
	test('an event of a state that has passed is left out', async () => {
		const [{ url, signingKey }] = [...host.sandbox.world.webhooks.values()];
		const body = JSON.stringify({
			event: 'transaction.sent',
			data: { transaction_id: finished, date_occurred: new Date().toISOString() },
		});
		const [run] = await runsOf(
			1,
			async () =>
				await fetch(url, {
					method: 'POST',
					headers: {
						'content-type': 'application/json',
						'x-signature': createHmac('sha256', signingKey!).update(body).digest('hex'),
					},
					body,
				}),
		);
		expect(itemsOf(run, 'When something happens')[0].json).toMatchObject({ outdated: true });
		expect(said).toEqual([]);
	});
	test('what can not be downloaded is told, and the rest is archived', async () => {
		let closing = '';
		await runsOf(1, async () => (closing = await sentClosing()));
		// One document that the service does not finish, whatever it says of the closing.
		Object.defineProperty(host.sandbox.world.transactions.get(closing)!.documents[0], 'final', {
			get: () => undefined,
			set: () => undefined,
		});
		// Told both times: when it is completed, and when it is released.
		await runsOf(2, async () => await host.sandbox.act.completeClosing(closing));
		expect(said.filter((line) => line.startsWith('Not in the archive yet: '))).toEqual(
			Array.from({ length: 2 }, () => expect.stringContaining(`of ${closing}. `)),
		);
		expect(archived(closing).length).toBeGreaterThan(2);
		host.sandbox.world.transactions.delete(closing);
	});
});

describe('archive completed transactions', () => {
	beforeAll(async () => await host.api.publish(flows.archive));
	afterAll(async () => {
		host.sandbox.world.settings.videoLagSeconds = 0;
		await host.api.unpublish(flows.archive);
	});
	test('what is not ready yet, here the recording, is told when everything else has been filed', async () => {
		host.sandbox.world.settings.videoLagSeconds = 3600;
		const closing = await sentClosing();
		await host.sandbox.act.completeClosing(closing);
		const [run] = await host.api.waitForExecutions(flows.archive, 1, { waitMs: 30_000 });
		expect(run.status).toBe('error');
		expect(whyFailed(run)).toMatch(/recording|video/i);
		const all = await new Console(host.sandbox.url).files(closing);
		expect(
			await checkArchive(
				host.folder,
				closing,
				all.filter(({ kind }) => kind !== 'video'),
			),
		).toMatchObject({ complaints: [] });
		host.sandbox.world.transactions.delete(closing);
	});
});

describe('nightly reconciliation', () => {
	let completed: string;
	const night = async () => {
		const run = await host.api.runToEnd(flows.nightly);
		expect(whyFailed(run)).toBe('');
		expect(mails).toHaveLength(1);
		return mails.splice(0)[0];
	};
	beforeAll(async () => {
		completed = await sentClosing();
		await host.sandbox.act.completeClosing(completed);
		rmSync(host.folder, { recursive: true });
		mkdirSync(host.folder);
	});

	test('files everything the archive lacks, and mails what it was', async () => {
		const letter = await night();
		expect(letter).toMatch(/Subject: Archive: \d+ filed late/);
		expect(letter).toContain('Still missing: 0');
		expect(await checkArchive(host.folder, completed, await held(completed))).toMatchObject({
			complaints: [],
		});
	});
	test('the next night finds it complete, and fetches nothing', async () => {
		const letter = await night();
		expect(letter).toContain('Subject: Archive: documents and audit trails complete');
		expect(letter).toContain('filed: 0');
	});
	test('one document and one audit trail are gone: both come back, and only they', async () => {
		const names = archived(completed);
		const [trail] = names.filter((name) => name.includes('Audit trail'));
		const [document] = names.filter((name) => name !== trail);
		for (const name of [trail, document]) rmSync(join(host.folder, name));
		const letter = await night();
		expect(letter).toContain('Subject: Archive: 2 filed late');
		expect(archived(completed)).toEqual(names);
	});
	test('a closing signed on paper counts as completed too', async () => {
		const paper = host.sandbox.world.transactions.get(completed)!;
		const { detailedStatus } = paper;
		paper.detailedStatus = 'wet_sign_complete';
		try {
			expect(await night()).toContain('in the last 7 days: 4');
		} finally {
			paper.detailedStatus = detailedStatus;
		}
	});
	test('a night on which the service can not be asked says so, too', async () => {
		host.sandbox.faults.add({
			method: 'GET',
			path: '/mortgage/v1/transactions',
			status: 403,
			body: { error: 'Feature is off' },
		});
		const letter = await night();
		host.sandbox.faults.clear();
		expect(letter).toContain('Subject: Archive: 1 missing');
		expect(letter).toMatch(/- The service does not allow this/);
	});
	test('what can not be saved is named', async () => {
		const [trail] = archived(completed).filter((name) => name.includes('Audit trail'));
		rmSync(join(host.folder, trail));
		// n8n may not write over a folder.
		mkdirSync(join(host.folder, trail));
		const letter = await night();
		rmSync(join(host.folder, trail), { recursive: true });
		expect(letter).toContain('Subject: Archive: 1 missing');
		expect(letter).toContain('filed: 0');
		expect(await night()).toContain('Subject: Archive: 1 filed late');
	});
	test('what can not be fetched is named', async () => {
		const [trail] = archived(completed).filter((name) => name.includes('Audit trail'));
		rmSync(join(host.folder, trail));
		for (const skip of [0, 1]) {
			// The closing itself can not be read, and then only its audit trail.
			host.sandbox.faults.add({
				method: 'GET',
				path: `/transactions/${completed}`,
				status: 403,
				skip,
			});
			const letter = await night();
			host.sandbox.faults.clear();
			expect(letter).toContain('Subject: Archive: 1 missing');
			expect(letter).toMatch(new RegExp(`Still missing: 1\\s+- ${completed}: .*API key`));
		}
	});
	test('a night without closings says so', async () => {
		host.sandbox.world.transactions.clear();
		const letter = await night();
		expect(letter).toContain('in the last 7 days: 0');
		expect(letter).toContain('Subject: Archive: documents and audit trails complete');
	});
});
