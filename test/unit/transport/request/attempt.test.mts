import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from '@jest/globals';
import { OperationalError } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { startRawService, type RawHandler } from '../../../support/live/rawService.mts';
import { withService } from '../../../support/live/service.mts';
import { senderOf } from '../sender.mts';

/** One attempt: how its answer is read, and what becomes of it when something goes wrong. */

/** Sends a write, which is never repeated, to a service that handles it so. */
async function post(
	handle: RawHandler,
	limits: Parameters<typeof senderOf>[0] = {},
	more: Parameters<ReturnType<typeof senderOf>['send']>[2] = {},
) {
	await using service = await startRawService(handle);
	try {
		const { sender, send } = senderOf(limits);
		const { answer } = await send('POST', service.url, more);
		return await sender.withText(answer);
	} finally {
		await service.untilLeft();
	}
}
const unreachable = (fault: string) => ({
	reason: { code: 'unreachable', fault, attempts: 1 },
	flags: { inDoubt: true },
});

describe('an answer that only its connection ends', () => {
	/** Answers as an old gateway does. */
	const raw = async (body: string) =>
		await post((request, response) => {
			request.resume();
			response.socket!.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`);
		});
	test.each(['{"a":1}', ' \n[1]\n', 'text', 'text {', '"text', '', '12'])(
		'is read when it is %j',
		async (body) => {
			expect(await raw(body)).toMatchObject({ status: 200, body });
		},
	);
	test.each(['{"a":', ' \n\t{"a":1', '[1,', '{', '{"a":1}}'])(
		'is cut when it is %j',
		async (body) => {
			await expect(raw(body)).rejects.toMatchObject(unreachable('ANSWER_CUT'));
		},
	);
});

test.each([
	['half of a JSON text that has its length', '{"a":', '{"a":'],
	['the mark at its beginning', '\ufeff{"a":1}', '{"a":1}'],
	['the same mark elsewhere', '{"a":"\ufeffb\ufeff"}', '{"a":"\ufeffb\ufeff"}'],
	['letters of several bytes', '"測試👧"', '"測試👧"'],
])('an answer is read as it is, with %s', async (_what, sent, body) => {
	expect(
		await post((_request, response) => {
			response.setHeader('content-length', Buffer.byteLength(sent)).end(sent);
		}),
	).toMatchObject({ status: 200, body });
});

describe('an answer that begins before its body comes', () => {
	const late =
		(status: number, ms = 60): RawHandler =>
		async (_request, response) => {
			response.writeHead(status).flushHeaders();
			await wait(ms);
			response.end('as it is');
		};
	test.each([200, 299, 300, 404])('is waited for, with status %i', async (status) => {
		expect(await post(late(status))).toMatchObject({ status, body: 'as it is' });
	});
	test('is not waited for longer than in all, when somebody waits', async () => {
		const slowly: RawHandler = async (_request, response) => {
			await wait(300);
			await late(200, 350)(_request, response, '');
		};
		const limits = { impatientMs: 500 };
		await expect(post(slowly, { limits }, { impatient: true })).rejects.toMatchObject({
			reason: { code: 'unreachable' },
		});
	});
});

describe('limits', () => {
	const answer =
		(status: number, body: string): RawHandler =>
		(_request, response) =>
			void response.writeHead(status).end(body);
	test.each([
		[300, { answerBytes: 5, fileBytes: 5 }, 'more than five'],
		[404, { answerBytes: 5, fileBytes: 5 }, 'more than five'],
		[404, { refusalBytes: 4 }, 'more'],
	])('of the body of %i are those of a refusal: %j', async (status, limits, body) => {
		expect(await post(answer(status, 'more than five'), { limits })).toMatchObject({ body });
	});
	test.each([300, 404])('let the part of a refusal with %i count that has come', async (status) => {
		const silent: RawHandler = (_request, response) =>
			void response.writeHead(status).write('a part');
		expect(await post(silent, { limits: { refusalMs: 200 } })).toMatchObject({ body: 'a part' });
	});
	test.each([
		[299, 'text', { answerBytes: 5 }],
		[200, 'text', { answerBytes: 5, fileBytes: 100 }],
	] as const)('of a success with %i are those of %s', async (status, encoding, limits) => {
		await expect(
			post(answer(status, 'more than five'), { limits }, { encoding }),
		).rejects.toMatchObject(unreachable('ANSWER_TOO_BIG'));
	});
	test('end a request without an answer, and its connection', async () => {
		for (const limits of [{ writeMs: 60 }, { fileMs: 60 }])
			await expect(post(() => undefined, { limits })).rejects.toMatchObject(
				unreachable('ESTALLED'),
			);
	});
});

describe('a body that is produced while it is sent', () => {
	const body = (open: () => Readable) => ({
		contentLength: 2_000_000,
		open: async () => await Promise.resolve(open()),
	});
	const accept: RawHandler = (request, response) => {
		request.resume().on('end', () => response.end('done'));
	};
	const failing = (error: Error) =>
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
	test('ends when the request is given up', async () => {
		const source = new Readable({ read() {} });
		source.push('abc');
		const never: RawHandler = () => undefined;
		await expect(
			post(never, { limits: { writeMs: 60 } }, { streamed: body(() => source) }),
		).rejects.toMatchObject(unreachable('ESTALLED'));
		expect(source.destroyed).toBe(true);
	});
	test('that fails by a failure of our own is told by that failure', async () => {
		const own = new ServiceFailure({ code: 'incompleteFile', fileName: 'deed.pdf' });
		await expect(
			post(
				accept,
				{},
				{
					streamed: body(() => {
						throw own;
					}),
				},
			),
		).rejects.toBe(own);
		await expect(post(accept, {}, { streamed: body(() => failing(own)) })).rejects.toBe(own);
	});
	test('that n8n does not open is not sent; one that n8n ends is in doubt', async () => {
		const stopped = new OperationalError('The file was deleted');
		await expect(
			post(
				accept,
				{},
				{
					streamed: body(() => {
						throw stopped;
					}),
				},
			),
		).rejects.toMatchObject({
			reason: { code: 'notSent', said: 'The file was deleted' },
			flags: { inDoubt: false },
		});
		await expect(
			post(accept, {}, { streamed: body(() => failing(stopped)) }),
		).rejects.toMatchObject(unreachable('N8N_STOPPED'));
	});
});

test("a request that n8n's protection of addresses blocks is not sent, and names the host", async () => {
	const blocked = Object.assign(new OperationalError('Blocked'), { name: 'SsrfBlockedIpError' });
	const open = async () => await Promise.reject(blocked);
	await withService(
		() => undefined,
		async ({ url, requests }) => {
			await expect(
				senderOf().send('POST', `${url}/x?secret=1`, { streamed: { contentLength: 1, open } }),
			).rejects.toMatchObject({
				reason: { code: 'notSent', blockedHost: new URL(url).host },
				flags: { inDoubt: false },
			});
			expect(requests).toEqual([]);
		},
	);
});
