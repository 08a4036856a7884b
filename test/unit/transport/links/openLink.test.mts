import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import { parseSettings } from '../../../../nodes/SignAndClose/transport/service/credential.ts';
import { readBytes } from '../../../../nodes/SignAndClose/transport/files/streams.ts';
import { openLink } from '../../../../nodes/SignAndClose/transport/links/openLink.ts';
import type { RequestSender } from '../../../../nodes/SignAndClose/transport/request/sender.ts';
import { credentialFor } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { withService, type Answer, type Script } from '../../../support/live/service.mts';
import { clientOf } from '../client.mts';

/** Links that answers hold: what is followed, what is refused, and what the refusal says. */

const KEY = credentialFor('').apiKey as string;
const FILE: Answer = { body: 'the file', headers: { 'x-file': 'yes' } };
const redirect = (location: string, status = 302): Answer => ({ status, headers: { location } });

/** What became of a link. */
interface Opened {
	text?: string;
	headers?: Record<string, unknown>;
	failure?: unknown;
}

async function readLink(service: ServiceClient, link: string): Promise<Opened> {
	try {
		const { stream, headers } = await service.open(link);
		return { text: String(await readBytes(stream)), headers };
	} catch (failure) {
		return { failure };
	}
}

/** Opens a link at a service that knows these paths. */
const open = async (link: string, answers: Record<string, Answer>) =>
	await withService(
		({ path }) => answers[path],
		async ({ url, credential, requests }) => {
			const service = await clientOf(credential);
			const opened = await readLink(service, link.replace('BASE', url));
			return { ...opened, requests, paths: requests.map(({ path }) => path) };
		},
	);

/** A server at another origin. */
const elsewhere = async <T,>(script: Script, work: (url: string) => Promise<T>) =>
	await withService(script, async ({ url }) => await work(url));

test('a link is opened for reading, as it is and without compression', async () => {
	const { text, headers, requests } = await open('BASE/file?signature=a%2Fb', { '/file': FILE });
	expect({ text, headers }).toMatchObject({ text: 'the file', headers: { 'x-file': 'yes' } });
	expect(requests).toMatchObject([
		{
			method: 'GET',
			query: { signature: 'a/b' },
			headers: { apikey: KEY, 'accept-encoding': 'identity' },
		},
	]);
});

describe('a redirect', () => {
	test.each([300, 302, 308])('with %i is followed', async (status) => {
		const { text, paths } = await open('BASE/old', {
			'/old': redirect('/new/file?x=1', status),
			'/new/file': FILE,
		});
		expect(text).toBe('the file');
		expect(paths).toEqual(['/old', '/new/file']);
	});
	test('is followed from where it stands', async () => {
		const answers = { '/a/b/old': redirect('../new'), '/a/new': FILE };
		expect((await open('BASE/a/b/old', answers)).text).toBe('the file');
	});
	/** A path that redirects as often as its number says. */
	const chain = Object.fromEntries(
		[1, 2, 3, 4, 5, 6].map((left) => [`/${left}`, redirect(`/${left - 1}`)]),
	);
	test('is followed five times, and no sixth', async () => {
		const { text, paths } = await open('BASE/5', { ...chain, '/0': FILE });
		expect(text).toBe('the file');
		expect(paths).toHaveLength(6);
		const tooFar = await open('BASE/6', { ...chain, '/0': FILE });
		expect(tooFar.failure).toMatchObject({
			reason: { code: 'refused', status: 302, purpose: 'file', attempts: 1 },
			flags: { httpStatus: 302, final: true },
		});
		expect(tooFar.paths).toEqual(['/6', '/5', '/4', '/3', '/2', '/1']);
	});
	test.each([302, 304])('with %i that leads nowhere is a refusal', async (status) => {
		const { failure, paths } = await open('BASE/old', { '/old': { status } });
		expect(failure).toMatchObject({ reason: { code: 'refused', status, purpose: 'file' } });
		expect(paths).toEqual(['/old']);
	});
	test('takes the key along to the own origin only', async () => {
		const keys: unknown[] = [];
		let back = '';
		const script: Script = ({ path, headers }) => {
			keys.push([path, headers.apikey]);
			return path === '/away' ? redirect(back) : undefined;
		};
		await elsewhere(script, async (away) => {
			await withService(
				({ path, headers }) => {
					keys.push([path, headers.apikey]);
					return path === '/start' ? redirect(`${away}/away`) : FILE;
				},
				async ({ url, credential }) => {
					back = `${url}/end`;
					const { stream } = await (await clientOf(credential)).open(`${url}/start`);
					await readBytes(stream);
				},
			);
		});
		expect(keys).toStrictEqual([
			['/start', KEY],
			['/away', undefined],
			['/end', KEY],
		]);
	});
});

test('encryption is not left by a redirect', async () => {
	const asked: string[] = [];
	// Another host with encryption, which needs no certificate here.
	const sender = {
		send: async ({ url }: { url: string }) => {
			asked.push(url);
			const headers = { location: 'http://127.0.0.1:5000/file' };
			return await Promise.resolve({ answer: { status: 302, headers, body: '' }, attempts: 1 });
		},
	} as unknown as RequestSender;
	const settings = parseSettings({ baseUrl: 'http://127.0.0.1:5000', apiKey: KEY });
	await expect(openLink('https://127.0.0.1:5001/old', sender, settings)).rejects.toMatchObject({
		reason: { code: 'refused', status: 302, purpose: 'file', redirectHost: '127.0.0.1:5000' },
		flags: { httpStatus: 302, final: true },
	});
	expect(asked).toEqual(['https://127.0.0.1:5001/old']);
});

describe('a refusal', () => {
	const refused: Answer = {
		status: 403,
		headers: { 'content-type': 'application/xml' },
		body: `<Error><Code>Denied</Code><Message>Key ${KEY} has no access</Message></Error>`,
	};
	const said = ['Denied: Key *** has no access'];
	test('of the own origin is one of the key', async () => {
		const { failure } = await open('BASE/file', { '/file': refused });
		expect(failure).toMatchObject({
			reason: { code: 'refused', status: 403, details: said, linkHost: undefined },
		});
	});
	test('of another origin is not, because it never got the key', async () => {
		await elsewhere(
			() => refused,
			async (url) => {
				forEachCase(
					[
						await open(`${url}/file`, {}),
						await open('BASE/file', { '/file': redirect(`${url}/file`) }),
					],
					({ failure }) =>
						expect(failure).toMatchObject({
							reason: {
								code: 'refused',
								status: 403,
								details: said,
								linkHost: new URL(url).host,
							},
						}),
				);
			},
		);
	});
	test('of another origin names its host, also when nothing answers there', async () => {
		const { failure } = await open('BASE/file', { '/file': redirect('https://127.0.0.1:9/file') });
		expect(failure).toMatchObject({
			reason: { code: 'unreachable', fault: 'ECONNREFUSED', linkHost: '127.0.0.1:9' },
		});
	});
});

describe('what is no link', () => {
	test.each(['', 'gone', '/file', '//files.example.com/file', 'https://a b/'])(
		'%j is not opened',
		async (link) => {
			const { failure, paths } = await open(link, {});
			expect(failure).toMatchObject({ reason: { code: 'unusableLink' } });
			expect(paths).toEqual([]);
		},
	);
	test.each([
		['https://user@files.example.com:8443/file', 'files.example.com:8443'],
		['http://169.254.169.254/latest', '169.254.169.254'],
		['file:///etc/passwd', 'file:'],
		['data:application/pdf;base64,JVBERi0=', 'data:'],
	])('%s must not be opened, and the failure names %s', async (link, target) => {
		forEachCase(
			[await open(link, {}), await open('BASE/old', { '/old': redirect(link) })],
			({ failure }) =>
				expect(failure).toMatchObject({
					reason: { code: 'forbiddenLink', target },
					flags: { final: true },
				}),
		);
	});
});
