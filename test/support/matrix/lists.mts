import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.mts';
import { LIMITED, LIMITS, limited, type Fixture, type Scene } from './scene.mts';

/** The scene of three items that take one, two and one entries of a list. */
export function byLimit(
	request: Scene['request'],
	key: string,
	all: (sandbox: Sandbox) => unknown[] | Promise<unknown[]>,
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const expected = await all(sandbox);
		return {
			parameters: { ...LIMITED, ...parameters },
			items: LIMITS.map((limit) => ({ json: { limit } })),
			request,
			mark: (json) => json[key],
			expected: limited(expected),
			broken: { limit: 'some' },
			pages: { parameters, expected, size: expected.length > 4 ? 2 : 1 },
		};
	};
}
