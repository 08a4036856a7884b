import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import type { Fixture } from './scene.mts';

export type { Fixture, Scene } from './scene.mts';

/** The name of each listed operation: resource/value. */
export const OPERATION_NAMES = operations.map(({ resource, value }) => `${resource}/${value}`);

/** Where the fixture of an operation is, seen from the project's root. */
export const fixturePath = (name: string) => `test/fixtures/${name}.fixture.mts`;

/**
 * The fixtures, found by the operation's name. An operation without one is missing here; a test of
 * the matrix says so.
 */
export const FIXTURES: Record<string, Fixture> = {};
/** Those of what an operation does in other ways, too: `resource/operation#name`. */
export const ALL_FIXTURES: Record<string, Fixture> = {};
for (const name of OPERATION_NAMES) {
	const url = new URL(`../../../${fixturePath(name)}`, import.meta.url);
	if (!existsSync(url)) continue;
	const { default: fixture, moreFixtures = {} } = (await import(fileURLToPath(url))) as {
		default: Fixture;
		moreFixtures?: Record<string, Fixture>;
	};
	ALL_FIXTURES[name] = FIXTURES[name] = fixture;
	for (const [more, other] of Object.entries(moreFixtures)) ALL_FIXTURES[`${name}#${more}`] = other;
}
