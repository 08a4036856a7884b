import { ByteBudget } from '../../../../nodes/SignAndClose/transport/files/byteBudget.ts';

/** How many bytes of files are under way at once. */

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const MOST = 100;
const settled = async () => await jest.advanceTimersByTimeAsync(1_000);

/** Asks for room, and notes who got it. */
function asking() {
	const budget = new ByteBudget();
	const served: string[] = [];
	const release = new Map<string, () => void>();
	const ask = async (name: string, bytes: number, signal?: AbortSignal) => {
		release.set(name, await budget.take(bytes, MOST, signal));
		served.push(name);
	};
	return { served, release, ask };
}

test('room is given as long as there is some, in order; something too big goes alone', async () => {
	const { served, release, ask } = asking();
	for (const [name, bytes] of Object.entries({ a: 60, b: 40, c: 50, big: 101, d: 1 }))
		void ask(name, bytes);
	await settled();
	expect(served).toEqual(['a', 'b']);
	release.get('b')!();
	await settled();
	// The last one would have room, but isn't served before its turn.
	expect(served).toEqual(['a', 'b']);
	release.get('a')!();
	await settled();
	expect(served).toEqual(['a', 'b', 'c']);
	release.get('c')!();
	await settled();
	expect(served).toEqual(['a', 'b', 'c', 'big']);
	release.get('big')!();
	await settled();
	expect(served).toEqual(['a', 'b', 'c', 'big', 'd']);
});

test('room is not waited for by whoever is canceled, and goes to the next', async () => {
	const { served, ask } = asking();
	const stop = new AbortController();
	const reason = new Error('Stopped');
	void ask('a', 60);
	const canceled = expect(ask('b', 60, stop.signal)).rejects.toBe(reason);
	void ask('c', 40);
	await settled();
	stop.abort(reason);
	await canceled;
	await settled();
	expect(served).toEqual(['a', 'c']);
	await expect(ask('d', 1, stop.signal)).rejects.toBe(reason);
});
