import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { readHints } from '../../../../../nodes/SignAndClose/service/transport/pace/hints.ts';

const NOW = Date.parse('2026-03-04T05:06:07Z');
const read = (headers: Record<string, string>) => readHints((name) => headers[name], NOW);

test.each([
	[{ 'retry-after': '3' }, { retryAfterMs: 3000 }],
	[{ 'retry-after': 'Wed, 04 Mar 2026 05:06:17 GMT' }, { retryAfterMs: 10_000 }],
	// The service's clock is an hour behind, and so is its date.
	[
		{ 'retry-after': 'Wed, 04 Mar 2026 04:06:17 GMT', date: 'Wed, 04 Mar 2026 04:06:07 GMT' },
		{ retryAfterMs: 10_000 },
	],
	[{ 'retry-after': '0' }, {}],
	[{ 'retry-after': 'Wed, 04 Mar 2026 05:00:00 GMT' }, {}],
	[{ 'retry-after': 'soon' }, {}],
	[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, { usedUpForMs: 30_000 }],
	[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' }, { usedUpForMs: 1500 }],
	[
		{ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW / 1000 + 20) },
		{ usedUpForMs: 20_000 },
	],
	[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 500) }, { usedUpForMs: 500 }],
	[
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-03-04T05:06:08Z' },
		{ usedUpForMs: 1000 },
	],
	[{ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '30' }, {}],
	[{ 'x-ratelimit-remaining': '0' }, {}],
	[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }, {}],
	[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 20) }, {}],
	[{ ratelimit: '"default";r=0;t=30' }, { usedUpForMs: 30_000 }],
	[{ ratelimit: '"minute";r=5;t=30, "day";r=0;t=60' }, { usedUpForMs: 60_000 }],
	[{ ratelimit: '"minute";r=5;t=30' }, {}],
	[{ ratelimit: 'limit=100, remaining=0, reset=30' }, { usedUpForMs: 30_000 }],
	[{ ratelimit: 'limit=100, remaining=50, reset=30' }, {}],
	// The longest of several times, in whatever header it comes.
	[
		{
			'ratelimit-remaining': '0',
			'ratelimit-reset': '30',
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': '60',
		},
		{ usedUpForMs: 60_000 },
	],
	[{ 'ratelimit-remaining': '0', 'ratelimit-reset': ' 1.25 ' }, { usedUpForMs: 1250 }],
	[
		{ 'ratelimit-remaining': '0', 'ratelimit-reset': 'Wed, 04 Mar 2026 05:06:17 +0000' },
		{ usedUpForMs: 10_000 },
	],
	[{ 'ratelimit-remaining': '0', 'ratelimit-reset': 'x30' }, {}],
	// The least times since 1970, in seconds and milliseconds, are long ago. Less is a span.
	[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1000000000' }, {}],
	[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1000000000000' }, {}],
	[
		{ 'ratelimit-remaining': '0', 'ratelimit-reset': '999999999' },
		{ usedUpForMs: 999_999_999_000 },
	],
	// Nothing says that the quota is used up.
	[{ 'ratelimit-reset': '30' }, {}],
	[{ ratelimit: '"minute"; r=5; t=30, "day"; r=0; t=60' }, { usedUpForMs: 60_000 }],
	[{ ratelimit: 'r=0;t=5' }, { usedUpForMs: 5000 }],
	[{ ratelimit: 't=30;r=0' }, { usedUpForMs: 30_000 }],
	[{ ratelimit: 'limit = 100, remaining = 0, reset = 30' }, { usedUpForMs: 30_000 }],
	[{ ratelimit: 'remaining=000, reset=30' }, { usedUpForMs: 30_000 }],
	[{ ratelimit: 'remaining=0.5, reset=30' }, {}],
	[{ ratelimit: 'remaining=0' }, {}],
	[{}, {}],
])('%j says %j', (headers, hints) => {
	expect(read(headers as Record<string, string>)).toEqual(hints);
});

test('never throws, and names only times to come', () => {
	const names = ['retry-after', 'date', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset'];
	const value = fc.oneof(fc.string(), fc.constantFrom('0', '-1', '1e9', '12', 'r=0;t=5'));
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), (headers) => {
			for (const ms of Object.values(read(headers)))
				expect(Number.isFinite(ms) && (ms as number) > 0).toBe(true);
		}),
	);
});
