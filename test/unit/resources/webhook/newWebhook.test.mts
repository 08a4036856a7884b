import { expect, test } from '@jest/globals';

import { onlyNew } from '../../../../nodes/SignAndClose/resources/webhook/api.ts';

/** The webhook that is new in a list, after a creation that was answered with nothing. */

const CALLBACK = 'https://n8n.example.com/webhook/a?key=b';
const OTHER = 'https://n8n.example.com/webhook/a?key=c';
const before = new Set(['older']);

test.each([
	['the only new one, where the list has no URLs', [{ id: 'older' }, { id: 'new' }], 'new'],
	[
		'the new one with the URL, where another one is new too',
		[
			{ id: 'theirs', url: OTHER },
			{ id: 'new', url: CALLBACK },
		],
		'new',
	],
	[
		'none, where the only one with the URL was there before',
		[{ id: 'older', url: CALLBACK }],
		undefined,
	],
	['none, where the only new one has another URL', [{ id: 'new', url: OTHER }], undefined],
	['none, where two can be meant', [{ id: 'new' }, { id: 'other' }], undefined],
	['none, where none is new', [{ id: 'older' }], undefined],
	['none, where the list is empty', [], undefined],
])('%s', (_name, after, found) => {
	expect(onlyNew(after, before, CALLBACK)?.id).toBe(found);
});
