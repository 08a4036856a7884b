import type { IDataObject } from 'n8n-workflow';

import { search } from '../../support/dropdowns.mts';
import { keptAnswers } from '../../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';

/**
 * The editor's lists show everything however a service caps its pages, and ask again for what they
 * have read only after 30 seconds.
 */

beforeEach(() => keptAnswers.clear());
afterEach(() => void jest.restoreAllMocks());

/** Scrolls through a whole list; `between` happens before each part but the first. */
async function scroll(method: string, url: string, between = () => {}): Promise<string[]> {
	const shown: string[] = [];
	for (let token: string | undefined, parts = 0; parts === 0 || token !== undefined; parts++) {
		if (parts > 20) throw new Error('It never ends');
		if (parts > 0) between();
		const part = await search(method, url, { token });
		shown.push(...part.results.map(({ value }) => value));
		token = part.paginationToken;
	}
	return shown;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${index}`);
const pageOf = (list: readonly string[], query: URLSearchParams, cap = 1_000): IDataObject[] => {
	const offset = Number(query.get('offset'));
	return list
		.slice(offset, offset + Math.min(Number(query.get('limit')), cap))
		.map((id) => ({ id, name: `Named ${id}`, permalink: id, transaction_name: `Named ${id}` }));
};

describe('all entries are shown', () => {
	test.each([
		['searchRecords', 20],
		['searchTemplates', 7],
		['searchTransactions', 20],
		['searchTransactions', 1_000],
	])('by %s, part by part, where pages are capped at %d', async (method, cap) => {
		await using service = await startSmallService((_request, query) => ({
			body: { data: pageOf(ids(230), query, cap) },
		}));
		expect(await scroll(method, service.url)).toEqual(ids(230));
	});
	test('when others join the list while somebody scrolls slowly', async () => {
		const list = ids(180);
		await using service = await startSmallService((_request, query) => ({
			body: { records: pageOf(list, query, 20) },
		}));
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const shown = await scroll('searchRecords', service.url, () => {
			now += 31_000;
			list.unshift(`new${list.length}`);
		});
		expect(ids(180).filter((id) => !shown.includes(id))).toEqual([]);
	});
});

describe('what was read a moment ago', () => {
	const listed = (answer?: () => SmallAnswer) =>
		startSmallService(
			(_request, query) => answer?.() ?? { body: { data: pageOf(ids(150), query) } },
		);
	test('serves whoever opens the list, scrolls or searches within 30 seconds', async () => {
		await using service = await listed();
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const { paginationToken: token } = await search('searchTransactions', service.url);
		expect(service.asked).toHaveLength(1);
		now += 29_999;
		await search('searchTransactions', service.url);
		await search('searchTransactions', service.url, { token });
		expect(service.asked).toHaveLength(2);
		for (const filter of ['n', 'na', 'named id14', 'named id149'])
			await search('searchTransactions', service.url, { filter });
		// The last page, which is where a search for nothing that is there ends.
		expect(service.asked.length).toBeLessThanOrEqual(3);
		now += 1;
		await search('searchTransactions', service.url);
		expect(service.asked.at(-1)).toContain('offset=0');
	});
	test('several that open at once ask once', async () => {
		await using service = await listed();
		await Promise.all(ids(5).map(async () => await search('searchTransactions', service.url)));
		expect(service.asked).toHaveLength(1);
	});
	test.each<[string, IDataObject]>([
		['another key', { apiKey: 'another-key' }],
		['another organization', { organizationId: 'or_other' }],
		['another platform', { parameters: { platform: 'realEstate' } }],
	])('is not for %s', async (_name, other) => {
		await using service = await listed();
		await search('searchTransactions', service.url);
		await search('searchTransactions', service.url, other);
		expect(service.asked).toHaveLength(2);
	});
	test('is never a failure', async () => {
		let isDown = true;
		await using service = await listed(() =>
			isDown ? { status: 403, body: { errors: ['Not yours'] } } : undefined,
		);
		await expect(search('searchTransactions', service.url)).rejects.toThrow();
		isDown = false;
		expect((await search('searchTransactions', service.url)).results).toHaveLength(50);
	});
	test('a transaction is retrieved once for its documents and its signers', async () => {
		await using service = await startSmallService(() => ({
			body: {
				id: 'ot_1',
				documents: [{ id: 'do_1', document_name: 'Deed' }],
				signers: [{ signer_id: 'us_1', email: 'jane@example.com' }],
			},
		}));
		const parameters = { platform: 'business', transactionId: { mode: 'id', value: 'ot_1' } };
		expect((await search('searchDocuments', service.url, { parameters })).results).toHaveLength(1);
		expect((await search('searchSigners', service.url, { parameters })).results).toHaveLength(1);
		expect(service.asked).toHaveLength(1);
	});
	test('is limited in number', async () => {
		await using service = await listed();
		for (let count = 0; count < 210; count++)
			await search('searchTransactions', service.url, { apiKey: `key-${count}` });
		expect(keptAnswers.size).toBe(200);
	});
});
