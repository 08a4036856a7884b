// The console's calls to the sandbox, all of them below /sandbox.

import { showMessage } from './message.mjs';

export const NOT_RESPONDING = "The sandbox isn't responding";

export async function getState() {
	return await (await fetch('/sandbox/state')).json();
}

/**
 * Makes a call, tells why it was refused, or nothing if it wasn't, and has the page refreshed.
 * @param tell where a refusal is said
 */
export async function post(path, body, tell = showMessage) {
	try {
		const answer = await fetch(path, {
			method: 'POST',
			headers: body ? { 'Content-Type': 'application/json' } : {},
			body: body && JSON.stringify(body),
		});
		const data = await answer.json();
		tell(answer.ok ? '' : (data.message ?? `The sandbox answered ${answer.status}`));
	} catch {
		showMessage(NOT_RESPONDING);
	}
	document.dispatchEvent(new Event('sandbox-called'));
}
