import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { OperationalError } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { startRawService, type RawHandler } from '../../../support/live/rawService.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { until } from '../../../support/until.mts';
import { senderOf } from '../sender.mts';

/** How a request is sent, waited for and repeated, and what n8n's log says about it. */

// Without it, pauses are up to twice as long.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

/** Answers one after the other, and the last one from then on. */
const inTurn = (...answers: Answer[]) => {
	let next = 0;
	return () => answers[Math.min(next++, answers.length - 1)];
};
const CUT: Answer = { respond: (response) => response.destroy() };
const REFUSED: Answer = { status: 500, body: 'not now' };
const unreachable = (fault: string, attempts = 1) => ({
	reason: { code: 'unreachable', fault, attempts },
});

/**
 * Sends a request of an execution that is canceled as soon as a pause begins.
 * @returns what the log says of the pause; undefined when there was none
 */
async function pauseOf(impatient: boolean, retryAfter: number): Promise<string | undefined> {
	const answer = { status: 500, headers: { 'retry-after': String(retryAfter) } };
	return await withService(inTurn(answer), async ({ url }) => {
		const stop = new AbortController();
		const { context, send } = senderOf({ signal: stop.signal });
		let said: string | undefined;
		jest.spyOn(context.logger, 'info').mockImplementation((text) => {
			said = text;
			stop.abort();
		});
		await send('GET', url, { urgent: impatient }).catch((thrown: unknown) => {
			if (said === undefined) throw thrown;
		});
		return said;
	});
}

describe('a read', () => {
	test.each([
		['a refusal that passes', REFUSED, 'status 500'],
		['a cut connection', CUT, 'ECONNRESET'],
	])('is repeated after %s, and the log says so', async (_what, first, reason) => {
		await withService(inTurn(first, { body: 'done' }), async ({ url, requests }) => {
			const { context, send } = senderOf();
			const info = jest.spyOn(context.logger, 'info');
			expect(await send('GET', url)).toMatchObject({
				attempts: 2,
				answer: { status: 200, body: 'done' },
			});
			expect(requests).toHaveLength(2);
			expect(String(info.mock.calls)).toContain(`(${reason}, try 1)`);
		});
	});
	test.each([300, 404, 501])('answered with %i is not repeated', async (status) => {
		await withService(inTurn({ status, body: 'as it is' }), async ({ url, requests }) => {
			const { send } = senderOf();
			const { answer, attempts } = await send('GET', url);
			expect(attempts).toBe(1);
			expect(answer).toMatchObject({ status, body: 'as it is' });
			expect(requests).toHaveLength(1);
		});
	});
	test('waits as long as the service asks for, up to two minutes', async () => {
		expect(await pauseOf(false, 120)).toMatch(/waits 120 s .*\(status 500, try 1\)/);
		expect(await pauseOf(false, 121)).toBeUndefined();
	});
});

describe('a request that somebody waits for', () => {
	test('is repeated once', async () => {
		await withService(inTurn(REFUSED, CUT), async ({ url, requests }) => {
			await expect(senderOf().send('GET', url, { urgent: true })).rejects.toMatchObject(
				unreachable('ECONNRESET', 2),
			);
			expect(requests).toHaveLength(2);
		});
	});
	test('waits three seconds, and no longer', async () => {
		expect(await pauseOf(true, 3)).toMatch(/waits 3 s /);
		expect(await pauseOf(true, 4)).toBeUndefined();
	});
	test('is told at once that the service takes no more for four seconds', async () => {
		const limited = { status: 429, headers: { 'retry-after': '4' }, body: 'slow down' };
		await withService(inTurn(limited, { body: 'done' }), async ({ url }) => {
			expect(await senderOf().send('POST', url, { urgent: true })).toMatchObject({
				attempts: 1,
				answer: { status: 429, body: 'slow down' },
			});
		});
	});
	test('takes no longer in all, its answer included', async () => {
		await using service = await startRawService(async (_request, response) => {
			await wait(300);
			response.writeHead(200).flushHeaders();
			await wait(350);
			response.end('late');
		});
		const { send } = senderOf({ limits: { urgentMs: 500 } });
		await expect(send('POST', service.url, { urgent: true })).rejects.toMatchObject({
			reason: { code: 'unreachable' },
		});
	});
});

describe('a write', () => {
	test('that was cut has an unknown outcome, and is not repeated', async () => {
		await withService(inTurn(CUT), async ({ url, requests }) => {
			await expect(senderOf().send('POST', url)).rejects.toMatchObject({
				...unreachable('ECONNRESET'),
				flags: { unknownOutcome: true },
			});
			expect(requests).toHaveLength(1);
		});
	});
});

test('a request ends with its execution, and leaves no connection', async () => {
	await using service = await startRawService(() => undefined);
	const stop = new AbortController();
	const sent = senderOf({ signal: stop.signal }).send('POST', service.url);
	const failed = expect(sent).rejects.toMatchObject({ flags: { unknownOutcome: true } });
	await until(() => service.asked.length > 0);
	stop.abort();
	await failed;
	await service.untilLeft();
});

/** Sends a write, which is never repeated, to a service that handles it so. */
async function post(
	handle: RawHandler,
	limits: Parameters<typeof senderOf>[0] = {},
	more: Parameters<ReturnType<typeof senderOf>['send']>[2] = {},
) {
	await using service = await startRawService(handle);
	try {
		const { answer } = await senderOf(limits).send('POST', service.url, more);
		return answer;
	} finally {
		await service.untilLeft();
	}
}

describe('an answer', () => {
	/** Answers as an old gateway does: only the end of the connection tells the end of the answer. */
	const raw = async (body: string) =>
		await post((request, response) => {
			request.resume();
			response.socket!.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`);
		});
	test.each(['{"a":1}', ' \n[1]\n', 'text {', ''])('without a length is read: %j', async (body) => {
		expect(await raw(body)).toMatchObject({ status: 200, body });
	});
	test.each(['{"a":', '[1,', '{"a":1}}'])('without a length is cut: %j', async (body) => {
		await expect(raw(body)).rejects.toMatchObject(unreachable('ANSWER_CUT'));
	});
	test.each([
		['half of a JSON text that has its length', '{"a":', '{"a":'],
		['the mark at its beginning alone', '\ufeff{"a":"\ufeff"}', '{"a":"\ufeff"}'],
		['letters of several bytes', '"測試👧"', '"測試👧"'],
	])('is read as it is, with %s', async (_what, sent, body) => {
		const handle: RawHandler = (_request, response) =>
			void response.setHeader('content-length', Buffer.byteLength(sent)).end(sent);
		expect(await post(handle)).toMatchObject({ status: 200, body });
	});
});

describe('a body that is produced while it is sent', () => {
	const body = (open: () => Readable) => ({
		streamed: { contentLength: 2_000_000, open: async () => await Promise.resolve(open()) },
	});
	const accept: RawHandler = (request, response) => {
		request.resume().on('end', () => response.end('done'));
	};
	const refuse = (error: Error) => () => {
		throw error;
	};
	const failing = (error: Error) => () =>
		Readable.from(
			(function* () {
				yield Buffer.alloc(1_000);
				throw error;
			})(),
			{ objectMode: false },
		);
	test('arrives with its length', async () => {
		await withService(
			({ headers, body: received }) => ({ body: [headers['content-length'], received] }),
			async ({ url }) => {
				const open = async () => await Promise.resolve(Readable.from([Buffer.from('{"a":1}')]));
				const { answer } = await senderOf().send('PUT', url, {
					streamed: { contentLength: 7, open },
				});
				expect(answer.body).toBe('["7",{"a":1}]');
			},
		);
	});
	test('that fails by a failure of our own is told by that failure', async () => {
		const own = new ServiceFailure({ code: 'incompleteFile', fileName: 'deed.pdf' });
		await forEachCase(
			[refuse(own), failing(own)],
			async (open) => await expect(post(accept, {}, body(open))).rejects.toBe(own),
		);
	});
	test('that n8n does not open is not sent; of one that n8n ends, the outcome is unknown', async () => {
		const stopped = new OperationalError('The file was deleted');
		await expect(post(accept, {}, body(refuse(stopped)))).rejects.toMatchObject({
			reason: { code: 'notSent', details: 'The file was deleted' },
			flags: { unknownOutcome: false },
		});
		await expect(post(accept, {}, body(failing(stopped)))).rejects.toMatchObject({
			...unreachable('N8N_STOPPED'),
			flags: { unknownOutcome: true },
		});
	});
	test("that n8n's protection of addresses blocks is not sent, and the host is named", async () => {
		const blocked = Object.assign(new OperationalError('Blocked'), { name: 'SsrfBlockedIpError' });
		await expect(post(accept, {}, body(refuse(blocked)))).rejects.toMatchObject({
			reason: { code: 'notSent', blockedHost: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
			flags: { unknownOutcome: false },
		});
	});
});

describe("the service's clock", () => {
	const dated = (date: string): Answer => ({ headers: { date }, body: {} });
	const UNDATED: Answer = {
		respond: (response) => {
			response.sendDate = false;
			response.end('{}');
		},
	};
	const [EARLY, LATE] = [Date.UTC(2026, 2, 4, 5, 6, 7), Date.UTC(2030, 2, 4, 5, 6, 7)];
	const text = (at: number) => new Date(at).toUTCString();
	/** The latest time that the clock may have shown when the first of these answers was asked for. */
	const latestAfter = async (withKey: boolean, ...answers: Answer[]) =>
		await withService(inTurn(...answers), async ({ url, requests, credential }) => {
			const { sender } = senderOf({ credential });
			const began = Date.now();
			while (requests.length < answers.length)
				await sender.send({ url, method: 'GET' }, { withKey });
			const ahead = sender.mostAheadMs;
			// It's compared with the time at which a request was sent, which nobody knows exactly.
			return ahead === undefined ? undefined : { latest: began + ahead, took: Date.now() - began };
		});
	test.each<[string, Answer[]]>([
		['an answer shows it, to the end of its second', [dated(text(EARLY))]],
		['several do: the least of them counts', [dated(text(LATE)), dated(text(EARLY))]],
		['a later one shows more, or none', [dated(text(EARLY)), dated(text(LATE)), UNDATED]],
	])('is known when %s', async (_what, answers) => {
		const { latest, took } = (await latestAfter(true, ...answers))!;
		expect(latest).toBeGreaterThanOrEqual(EARLY + 1000 - took);
		expect(latest).toBeLessThanOrEqual(EARLY + 1000);
	});
	test('is unknown as long as no answer of its own shows it', async () => {
		expect(await latestAfter(true, UNDATED, dated('soon'))).toBeUndefined();
		expect(await latestAfter(false, dated(text(EARLY)))).toBeUndefined();
	});
});
