import {
	findFiles,
	type LinkedFile,
} from '../../../../nodes/SignAndClose/transport/fileDownload/linkedFiles.ts';
import { executionOf, readFile, useBinaryMode } from '../../../support/engine.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { until } from '../../../support/until.mts';
import { clientOf } from '../client.mts';

/** The files of an answer: side by side, in order, and with links that are renewed. */

beforeAll(async () => await useBinaryMode('filesystem'));

const PDF = (text: string) => `%PDF-1.7\n${text}\n%%EOF\n`;

interface Shown {
	id: string;
	/** The path of its link. */
	path?: string;
	open?: LinkedFile['open'];
}

/** Downloads what a service shows; each call of `find` takes the next answer, the last one stays. */
async function downloadAll(
	answers: Shown[][],
	file: (path: string) => Answer | undefined,
	filesAtOnce = 32,
) {
	let found = 0;
	return await withService(
		({ path }) => file(path),
		async ({ url, credential, requests }) => {
			const context = executionOf({ parameters: {} })();
			const service = await clientOf(credential, { filesAtOnce });
			const find = async () =>
				await Promise.resolve(
					answers[Math.min(found++, answers.length - 1)].map(({ id, path, open }): LinkedFile => ({
						kind: 'document',
						id,
						name: id,
						mimeType: 'application/pdf',
						link: async () => await Promise.resolve(path && `${url}${path}`),
						open,
					})),
				);
			const files = await findFiles(service, find);
			const outcome = await files.downloadAll(context).then(
				async (saved) => ({
					saved: await Promise.all(
						saved.map(async ({ file, binary }) => [file.id, String(await readFile(binary))]),
					),
				}),
				(failure: unknown) => ({ failure }),
			);
			return {
				saved: undefined,
				failure: undefined,
				...outcome,
				found,
				ids: files.list.map(({ id }) => id),
				asked: requests.map(({ path }) => path),
			};
		},
	);
}

const shown = (path: string, ...ids: string[]): Shown[] =>
	ids.map((id) => ({ id, path: `/${path}/${id}` }));
const give = (path: string): Answer => ({ body: PDF(path) });

describe('all files', () => {
	test('come in the order of the list, whichever comes first', async () => {
		let given = 0;
		const { saved } = await downloadAll([shown('1', 'a', 'b', 'c')], (path) => ({
			respond: (response) => {
				response.writeHead(200, { 'content-length': PDF(path).length });
				response.on('finish', () => given++);
				// The first one comes last.
				void until(() => path !== '/1/a' || given === 2).then(() => response.end(PDF(path)));
			},
		}));
		expect(saved).toEqual([
			['a', PDF('/1/a')],
			['b', PDF('/1/b')],
			['c', PDF('/1/c')],
		]);
	});
	test('without those that have no link yet, and with those that have another way', async () => {
		const open = async () => await Promise.resolve(undefined);
		const { saved } = await downloadAll(
			[[{ id: 'a' }, { id: 'b', open }, { id: 'c', path: '/c' }]],
			give,
		);
		expect(saved).toEqual([['c', PDF('/c')]]);
	});
	test('come at the same time, but not too many of them', async () => {
		const open = new Set<string>();
		const most: number[] = [];
		const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
		for (const filesAtOnce of [2, 32]) {
			const seen: number[] = [];
			const isFull = () => Math.max(...seen) >= Math.min(filesAtOnce, ids.length);
			await downloadAll(
				[shown('1', ...ids)],
				(path) => ({
					respond: (response) => {
						open.add(path);
						seen.push(open.size);
						const end = () => {
							open.delete(path);
							response.writeHead(200, { 'content-length': PDF(path).length });
							response.end(PDF(path));
						};
						// One more than may be would come meanwhile.
						void until(isFull).then(() => setTimeout(end, 100));
					},
				}),
				filesAtOnce,
			);
			most.push(Math.max(...seen));
		}
		expect(most).toEqual([2, 6]);
	});
	test('end with the first that fails, when those under way have ended', async () => {
		const { failure, asked } = await downloadAll(
			[shown('1', 'a', 'b', 'c', 'd')],
			(path) => (path === '/1/b' ? { status: 402 } : give(path)),
			2,
		);
		expect(failure).toMatchObject({ reason: { code: 'refused', status: 402 } });
		expect(asked).not.toContain('/1/d');
	});
});

describe('expired links', () => {
	const expired = (path: string) => (path.startsWith('/1/') ? { status: 403 } : give(path));

	test('are renewed by one more answer for all files', async () => {
		const ids = ['a', 'b', 'c', 'd', 'e'];
		const { saved, found } = await downloadAll([shown('1', ...ids), shown('2', ...ids)], expired);
		expect(saved).toEqual(ids.map((id) => [id, PDF(`/2/${id}`)]));
		expect(found).toBe(2);
	});
	test('that expire one after the other are renewed each time', async () => {
		// Nobody else's answer is newer than the attempt of the second file.
		const ids = ['a', 'b'];
		const { saved, found } = await downloadAll(
			[shown('1', ...ids), [...shown('2', 'a'), ...shown('1', 'b')], shown('3', ...ids)],
			expired,
			1,
		);
		expect(saved).toEqual([
			['a', PDF('/2/a')],
			['b', PDF('/3/b')],
		]);
		expect(found).toBe(3);
	});
	test('are those of the same file, wherever it stands now', async () => {
		const { saved } = await downloadAll([shown('1', 'a', 'b'), shown('2', 'b', 'x', 'a')], expired);
		expect(saved).toEqual([
			['a', PDF('/2/a')],
			['b', PDF('/2/b')],
		]);
	});
	test('are tried once more if the file is gone', async () => {
		const { failure, asked } = await downloadAll([shown('1', 'a'), shown('2', 'b')], expired);
		expect(failure).toMatchObject({ reason: { status: 403 } });
		expect(asked).toEqual(['/1/a', '/1/a']);
	});
	test('files with nothing of their own are told apart by their order', async () => {
		const twice = (answer: string) => [
			{ id: 'a', path: `/${answer}/first` },
			{ id: 'a', path: `/${answer}/second` },
		];
		const { saved, ids } = await downloadAll([twice('1'), twice('2')], expired);
		expect(ids).toEqual(['a', 'a (2)']);
		expect(saved).toEqual([
			['a', PDF('/2/first')],
			['a (2)', PDF('/2/second')],
		]);
	});
});
