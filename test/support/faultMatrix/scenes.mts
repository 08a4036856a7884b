import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { fixturePath, OPERATION_NAMES } from '../matrix/index.mts';
import type { FaultScene } from './scene.mts';

/**
 * The scenes of all operations, by `resource/operation`, from their fixtures. What the operation
 * does in other ways has scenes of its own: `resource/operation#name`.
 */
export const SCENES: Record<string, FaultScene> = {};
for (const name of OPERATION_NAMES) {
	const url = new URL(`../../../${fixturePath(name)}`, import.meta.url);
	if (!existsSync(url)) continue;
	const { faultScene, moreFaultScenes = {} } = (await import(fileURLToPath(url))) as {
		faultScene?: FaultScene;
		moreFaultScenes?: Record<string, FaultScene>;
	};
	if (faultScene !== undefined) SCENES[name] = faultScene;
	for (const [more, scene] of Object.entries(moreFaultScenes)) SCENES[`${name}#${more}`] = scene;
}
