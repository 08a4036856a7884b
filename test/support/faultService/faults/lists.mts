import type { Fault } from '../types.mts';
import { after, altered, before, isList, sendJson } from './build.mts';

/** Lists and their pages. */

const group = 'lists';

const isPage = ({ kind }: { kind: string }) => kind === 'page';

/** The name of the list in a page: `data`, `templates` or `records`. */
function listName(value: any): string {
	return Object.keys(value).find((name) => Array.isArray(value[name])) ?? 'data';
}

/** Changes the entries, whether they stand alone or in a page. */
function entries(change: (all: any[]) => unknown): Fault['strike'] {
	return altered((value) => {
		if (Array.isArray(value)) return change(value);
		const name = listName(value);
		return { ...value, [name]: change(value[name] ?? []) };
	});
}

function inPage(change: (value: any, name: string) => unknown): Fault['strike'] {
	return altered((value) => change(value, listName(value)));
}

const ENTRIES: Record<string, (all: any[]) => unknown> = {
	null: () => null,
	text: () => 'none',
	number: () => 0,
	'object-by-id': (all) => Object.fromEntries(all.map((one, index) => [one?.id ?? index, one])),
	'object-by-index': (all) => ({ ...all }),
	'with-null': (all) => [null, ...all],
	'with-empty': (all) => [{}, ...all],
	'with-text': (all) => ['entry', ...all],
	'with-list': (all) => [all, ...all],
	'only-null': (all) => all.map(() => null),
	'only-ids': (all) => all.map((one) => one?.id),
	'ids-missing': (all) => all.map(({ id: _id, ...rest }) => rest),
	'ids-all-same': (all) => all.map((one) => ({ ...one, id: 'ot_samesam' })),
	'oldest-first': (all) => all.toReversed(),
	'first-last': (all) => [...all.slice(1), ...all.slice(0, 1)],
	doubled: (all) => all.flatMap((one) => [one, one]),
	'without-last': (all) => all.slice(0, -1),
	'without-first': (all) => all.slice(1),
	'ten-thousand': (all) => Array.from({ length: 10_000 }, (_, n) => ({ ...all[0], id: `x${n}` })),
};

const TOTALS: Record<string, unknown> = {
	zero: 0,
	'too-small': 1,
	'too-large': 1_000_000,
	negative: -1,
	text: 'many',
	null: null,
};

const NAMES = ['items', 'results', 'transactions', 'entries', 'Data'];

export const listFaults: Fault[] = [
	before(group, 'page-empty', {
		reaches: 'odd',
		appliesTo: isPage,
		strike: (_target, wire) => sendJson(wire, { data: [] }),
	}),
	before(group, 'list-empty', {
		reaches: 'odd',
		appliesTo: isList,
		strike: (_target, wire) => sendJson(wire, []),
	}),
	...Object.entries(ENTRIES).map(([name, change]) =>
		after(group, `entries-${name}`, { reaches: 'odd', appliesTo: isList, strike: entries(change) }),
	),
	...NAMES.map((other) =>
		after(group, `named-${other}`, {
			reaches: 'odd',
			appliesTo: isPage,
			strike: inPage((value, name) => {
				const { [name]: list, ...rest } = value;
				return { ...rest, [other]: list };
			}),
		}),
	),
	after(group, 'list-without-page', {
		reaches: 'odd',
		appliesTo: isPage,
		strike: inPage((value, name) => value[name]),
	}),
	after(group, 'page-around-list', {
		reaches: 'odd',
		appliesTo: ({ kind }) => kind === 'list',
		strike: altered((data) => ({ data, total_count: Array.isArray(data) ? data.length : 1 })),
	}),
	...Object.entries(TOTALS).map(([name, total_count]) =>
		after(group, `total-${name}`, {
			reaches: 'odd',
			appliesTo: isPage,
			strike: altered((value) => ({ ...value, total_count })),
		}),
	),
	after(group, 'total-missing', {
		reaches: 'odd',
		appliesTo: isPage,
		strike: altered(({ total_count: _total, count: _count, ...rest }) => rest),
	}),
	after(group, 'first-page-for-ever', {
		reaches: 'odd',
		appliesTo: isPage,
		rewrite: (query) => query.delete('offset'),
		strike: altered((value) => ({ ...value, total_count: 1_000_000 })),
	}),
	after(group, 'first-events-for-ever', {
		reaches: 'odd',
		appliesTo: ({ kind }) => kind === 'list',
		rewrite: (query) => query.delete('offset'),
		strike: altered((value) => value),
	}),
	after(group, 'pages-overlap', {
		reaches: 'odd',
		appliesTo: isPage,
		rewrite: (query) => {
			const offset = Number(query.get('offset') ?? 0);
			query.set('offset', String(Math.max(0, offset - 1)));
		},
		strike: altered((value) => value),
	}),
	after(group, 'pages-short', {
		// Fewer entries than asked for, although there are more.
		reaches: 'odd',
		appliesTo: isPage,
		rewrite: (query) => query.set('limit', '1'),
		strike: altered((value) => value),
	}),
	after(group, 'limit-ignored', {
		reaches: 'odd',
		appliesTo: isPage,
		rewrite: (query) => query.set('limit', '1000'),
		strike: altered((value) => value),
	}),
	after(group, 'filters-ignored', {
		reaches: 'odd',
		appliesTo: isPage,
		rewrite: (query) => {
			for (const name of [...query.keys()])
				if (!['limit', 'offset'].includes(name)) query.delete(name);
		},
		strike: altered((value) => value),
	}),
];
