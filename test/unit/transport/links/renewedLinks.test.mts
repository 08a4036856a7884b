import { beforeAll, describe, expect, test } from '@jest/globals';

import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import {
	downloadLink,
	renewable,
	type Downloaded,
} from '../../../../nodes/SignAndClose/transport/download.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { credentialFor, executionOf, readFile, useBinaryMode } from '../../../support/engine.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { clientOf } from '../client.mts';

/** Links expire. A new one is retrieved once, and only for that reason. */

beforeAll(async () => await useBinaryMode('filesystem'));

const PDF = Buffer.from('%PDF-1.7\nfinal\n%%EOF\n');
const DEED = { name: 'Deed', mimeType: 'application/pdf' };

/** What getting a link gives: a path of the service, or why there's none. */
type Given = string | ServiceFailure;

/** Downloads a file whose link is given, at a service that knows these paths. */
const download = async (links: Given[], answers: Record<string, Answer>, target = DEED) =>
	await withService(
		({ path }) => answers[path],
		async ({ url, credential, requests }) => {
			let given = 0;
			const getLink = async () => {
				const link = links[given++];
				if (typeof link !== 'string') throw link;
				return url + link;
			};
			const outcome = await save(await clientOf(credential), getLink, target);
			return { ...outcome, given, paths: requests.map(({ path }) => path) };
		},
	);

async function save(
	service: ServiceClient,
	getLink: () => Promise<string>,
	target: typeof DEED,
): Promise<{ facts?: Downloaded['facts']; content?: Buffer; failure?: unknown }> {
	const context = executionOf({ parameters: {} })();
	try {
		const { binary, facts } = await downloadLink(context, service, getLink, target);
		return { facts, content: await readFile(binary) };
	} catch (failure) {
		return { failure };
	}
}

describe('a link', () => {
	test('that works is used as it is', async () => {
		const { content, facts, given, paths } = await download(['/1', '/2'], { '/1': { body: PDF } });
		expect(content).toEqual(PDF);
		expect(facts).toEqual({ file_name: 'Deed.pdf', mime_type: 'application/pdf', bytes: 21 });
		expect({ given, paths }).toEqual({ given: 1, paths: ['/1'] });
	});
	test.each([400, 401, 403, 404, 410])(
		'that is refused with %i has expired, and a new one is retrieved',
		async (status) => {
			const { content, given, paths } = await download(['/1', '/2', '/3'], {
				'/1': { status },
				'/2': { body: PDF },
			});
			expect(content).toEqual(PDF);
			expect({ given, paths }).toEqual({ given: 2, paths: ['/1', '/2'] });
		},
	);
	test('is renewed once: the second refusal is told', async () => {
		const { failure, given, paths } = await download(['/1', '/2', '/3'], {
			'/1': { status: 403 },
			'/2': { status: 410, body: 'gone' },
			'/3': { body: PDF },
		});
		expect(failure).toMatchObject({ reason: { code: 'refused', status: 410, said: ['gone'] } });
		expect({ given, paths }).toEqual({ given: 2, paths: ['/1', '/2'] });
	});
	test.each<[string, Answer, object]>([
		['refused with 402', { status: 402 }, { code: 'refused', status: 402 }],
		['refused with 409', { status: 409 }, { code: 'refused', status: 409 }],
		['refused with 451', { status: 451 }, { code: 'refused', status: 451 }],
		['redirected nowhere', { status: 302 }, { code: 'refused', status: 302 }],
		['to nothing', { body: '' }, { code: 'emptyFile', fileName: 'Deed.pdf' }],
		['to a page', { body: '<html>' }, { code: 'unexpectedFile', expected: 'pdf' }],
		[
			'to a part',
			{ status: 206, body: PDF, headers: { 'content-range': 'bytes 0-21/99' } },
			{ code: 'incompleteFile', fileName: 'Deed.pdf' },
		],
		[
			'to a file that is cut',
			{
				respond: (response) => {
					response.writeHead(200, { 'content-length': '99' });
					response.write(PDF, () => response.destroy());
				},
			},
			{ code: 'incompleteFile', fileName: 'Deed.pdf' },
		],
	])('%s has not expired, and is not renewed', async (_what, answer, reason) => {
		const { failure, given, paths } = await download(['/1', '/2'], {
			'/1': answer,
			'/2': { body: PDF },
		});
		expect(failure).toMatchObject({ reason });
		expect({ given, paths }).toEqual({ given: 1, paths: ['/1'] });
	});
	test('that must not be opened is not renewed', async () => {
		const { failure, given } = await download(['@169.254.169.254/1', '/2'], {});
		expect(failure).toMatchObject({ reason: { code: 'forbiddenLink' } });
		expect(given).toBe(1);
	});
	test.each([401, 404])('that is not given (%i) is not asked for again', async (httpStatus) => {
		const none = new ServiceFailure({ code: 'noContent' }, { httpStatus });
		const first = await download([none, '/2'], {});
		expect(first.failure).toBe(none);
		expect(first).toMatchObject({ given: 1, paths: [] });
		const second = await download(['/1', none, '/3'], { '/1': { status: 403 } });
		expect(second.failure).toBe(none);
		expect(second).toMatchObject({ given: 2, paths: ['/1'] });
	});
});

test('the name of a file shows no secret', async () => {
	const name = `Deed ${credentialFor('').apiKey as string}`;
	const { facts } = await download(['/1'], { '/1': { body: PDF } }, { ...DEED, name });
	expect(facts?.file_name).toBe('Deed.pdf');
});

describe('a link that is known', () => {
	test('is given first, and a new one each time after that', async () => {
		let renewed = 0;
		const getLink = renewable('known', async () => `new ${++renewed}`);
		expect(renewed).toBe(0);
		expect([await getLink(), renewed]).toEqual(['known', 0]);
		expect([await getLink(), renewed]).toEqual(['new 1', 1]);
		expect([await getLink(), renewed]).toEqual(['new 2', 2]);
	});
	test('is kept when there is no new one', async () => {
		const getLink = renewable('known', async () => undefined);
		expect([await getLink(), await getLink()]).toEqual(['known', 'known']);
	});
	test('is not kept when a new one can not be asked for', async () => {
		const getLink = renewable('known', async () => await Promise.reject(new Error('busy')));
		await getLink();
		await expect(getLink()).rejects.toThrow('busy');
	});
});
