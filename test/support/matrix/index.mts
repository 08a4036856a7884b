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
for (const name of OPERATION_NAMES) {
	const url = new URL(`../../../${fixturePath(name)}`, import.meta.url);
	if (existsSync(url)) FIXTURES[name] = (await import(fileURLToPath(url))).default as Fixture;
}
