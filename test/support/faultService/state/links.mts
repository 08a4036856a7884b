import { createHash } from 'node:crypto';

import type { World } from './world.mts';

/** Signed, temporary links to files (docs/service/documents.md#links). */

/** Makes a new link to a file, such as `document/do_1` or `image/front`. */
export function newLink(world: World, file: string): string {
	const expires = Date.now() + world.options.linkSeconds * 1000;
	const path = `/files/${file}?expires=${expires}`;
	return `${world.files}${path}&signature=${sign(world, path)}`;
}

/** Whether a path with its query is a link that was given out and hasn't expired. */
export function isValidLink(world: World, path: string): boolean {
	const [signed, signature] = path.split('&signature=');
	const expires = Number(new URLSearchParams(signed.split('?')[1]).get('expires'));
	return signature === sign(world, signed) && expires > Date.now();
}

function sign(world: World, path: string): string {
	return createHash('sha256').update(`${world.options.key} ${path}`).digest('hex').slice(0, 24);
}
