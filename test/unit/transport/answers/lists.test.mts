import { toList, type ListName } from '../../../../nodes/SignAndClose/transport/answers/lists.ts';

/** Where the list of an answer is, and answers that hold none. None of them is "no items". */

/** Each list, and the name under which answers hold it. */
const LISTS: Array<[ListName, string]> = [
	['listEligibleNotaries', 'notaries'],
	['listNotaries', 'notaries'],
	['listRecords', 'records'],
	['listRecordingLocations', 'recording_locations'],
	['listTemplates', 'templates'],
	['listTitleAgencies', 'title_agencies'],
	['listTitleUnderwriters', 'eligible_title_underwriters'],
	['listTransactions', 'transactions'],
	['listWebhookEvents', 'events'],
	['listWebhooks', 'webhooks'],
	['verifyAddress', 'recording_locations'],
];

describe.each(LISTS)('%s', (name, wrapper) => {
	test.each<[string, (list: unknown) => unknown]>([
		['bare', (list) => list],
		['under data', (data) => ({ data })],
		['under results', (results) => ({ results })],
		['under items', (items) => ({ items, page: 1 })],
		['under its own name', (list) => ({ [wrapper]: list })],
		['under its own name in data', (list) => ({ data: { [wrapper]: list } })],
	])('is read %s; a number as ID stays, as text', (_where, wrap) => {
		expect(toList(name, wrap([]))).toEqual({ entries: [], came: 0 });
		const { entries, came } = toList(name, wrap([{ id: 4711 }, null, {}]));
		expect([entries[0].id, came]).toEqual(['4711', 3]);
	});
	test.each<[came: RegExp, answer: unknown, said: string[]]>([
		[/^nothing$/, undefined, []],
		[/^null$/, null, []],
		[/^a text$/, '', []],
		[/^a number$/, 7, []],
		[/^an empty object$/, {}, []],
		[/^an object with 'error'$/, { error: 'Switched off' }, ['Switched off']],
		[/^an object with 'data', 'errors'$/, { data: [], errors: ['No shard'] }, ['No shard']],
		[/^an object with 'data'$/, { data: null }, []],
		[/^an object with 'warnings'$/, { warnings: [{ id: 'x' }] }, []],
		[/^a list with .* that can't be read$/, { data: [true, 'no'] }, []],
		[/^a list with .* that can't be read$/, [null, {}], []],
	])('is not in what is %s (%j)', (came, answer, said) => {
		expect(() => toList(name, answer)).toThrow(
			expect.objectContaining({
				reason: {
					code: 'unexpectedList',
					came: expect.stringMatching(came),
					details: said,
				},
			}),
		);
	});
});

test.each<[total: unknown, shown: number | undefined]>([
	[30, 30],
	['100', 100],
	[null, undefined],
	['', undefined],
	['some', undefined],
])('the total %j is %p', (total_count, total) => {
	expect(toList('listTransactions', { total_count, data: [] }).total).toBe(total);
});
