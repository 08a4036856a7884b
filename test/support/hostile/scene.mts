import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { credentialFor, runNode, useBinaryMode, type RunOptions } from '../engine.mts';
import { FIXTURES, type Scene } from '../matrix/index.mts';

/** The expression that gives an attack as an item has it. */
export const ATTACK = '={{ $json.attack }}';

/** The scene of an operation in a sandbox of its own, for the tests of a `describe`. */
export function useScene(name: string, options: SandboxOptions = {}) {
	const [resource, operation] = name.split('/');
	let sandbox: Sandbox;
	let scene: Scene;
	beforeAll(async () => {
		await useBinaryMode('filesystem');
		sandbox = await startSandbox({ processingMs: 0, ...options });
		scene = await FIXTURES[name].build(sandbox);
	});
	afterAll(async () => await sandbox.close());
	return {
		get sandbox() {
			return sandbox;
		},
		get scene() {
			return scene;
		},
		/** Runs the operation with an item for each attack. */
		run: async (
			parameters: IDataObject = {},
			attacks: unknown[] = [undefined],
			more: Partial<RunOptions> = {},
		) =>
			await runNode({
				credential: credentialFor(sandbox.url),
				parameters: { ...scene.parameters, resource, operation, ...parameters },
				items: attacks.map((attack) => ({
					...scene.items[0],
					json: { ...scene.items[0].json, attack: attack as never },
				})),
				node: { onError: 'continueRegularOutput' },
				...more,
			}),
	};
}
