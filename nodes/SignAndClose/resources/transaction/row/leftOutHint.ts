import type { IExecuteFunctions } from 'n8n-workflow';

/** Columns that a hint of a run has named. State of this process; docs/architecture.md lists it. */
const named = new WeakMap<IExecuteFunctions, Set<string>>();

/**
 * Names the columns that filled in nothing. Rows of one run have one hint, unless later ones have
 * further columns.
 * @returns undefined when there is none that wasn't named before
 */
export function leftOutHint(context: IExecuteFunctions, leftOut: string[]): string | undefined {
	const before = named.get(context) ?? new Set();
	const fresh = leftOut.filter((heading) => !before.has(heading));
	named.set(context, new Set([...before, ...fresh]));
	if (fresh.length === 0) return undefined;
	const list = fresh.map((heading) => `'${heading}'`).join(', ');
	return `These columns fill in nothing and were left out: ${list}. To use one of them, rename it, or choose 'Map Each Column Manually' in 'Columns'`;
}
