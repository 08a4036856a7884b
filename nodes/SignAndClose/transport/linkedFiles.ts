import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import {
	inStore,
	receive,
	receiveLink,
	type Downloaded,
	type DownloadTarget,
	type Keep,
	type Opened,
	type Received,
} from './download';
import { asError } from './failure/failure';
import { OVER } from './files/streams';

/*
 * The files that an answer has links to, e.g. those of a notarization record. Links are temporary
 * (docs/service/documents.md#links): while some files come, those of others expire.
 */

/** A file of an answer. */
export interface LinkedFile extends DownloadTarget {
	/** What it is of whatever the answer shows, e.g. attachment. */
	kind: string;
	/**
	 * What tells it apart from the others of its kind. A file never gets the link of another one, so it
	 * is the file's own: its place in the list only where the answer shows nothing else.
	 */
	id: string;
	/** Gives its link, for which the service may have to be asked. Undefined while there is none. */
	link(): Promise<string | undefined>;
	/** Opens it where there is no link. Undefined while there is no file. */
	open?(): Promise<Opened | undefined>;
}

/** Lists the files of something, which is retrieved for it. */
type Find<T> = () => Promise<T[]>;

/** Retrieves something of the service, and lists its files. */
export async function findFiles<T extends LinkedFile>(
	service: ServiceClient,
	find: Find<T>,
): Promise<LinkedFiles<T>> {
	return new LinkedFiles(service, find, withDistinctIds(await find()));
}

/** Files with links. Where several links have expired, new ones are retrieved once for all of them. */
export class LinkedFiles<T extends LinkedFile> {
	/** Counts what happens, to tell which links are newer than an attempt. */
	private ticks = 0;

	private newest: { at: number; list: Promise<T[]> } | undefined;

	constructor(
		private readonly service: ServiceClient,
		private readonly find: Find<T>,
		readonly list: readonly T[],
	) {}

	/**
	 * Receives a file.
	 * @param link from its `link()`
	 * @param name without an ending, if it isn't its own
	 * @returns undefined when there is none
	 * @throws ServiceFailure when it can't be opened, or doesn't come completely
	 */
	async receive<K>(
		file: T,
		link: string | undefined,
		keep: Keep<K>,
		name = file.name,
	): Promise<Received<K> | undefined> {
		const target = { name, mimeType: file.mimeType };
		if (link === undefined) {
			const opened = await file.open?.();
			return opened && (await receive(opened, this.service.hide(target), keep));
		}
		const begun = ++this.ticks;
		const renew = async () => await this.linkAfter(begun, file);
		return await receiveLink(this.service, link, renew, target, keep);
	}

	/**
	 * Downloads the files that there are, side by side, in the order of the list.
	 * @throws ServiceFailure of the first one that fails
	 */
	async downloadAll(context: IExecuteFunctions): Promise<Array<Downloaded & { file: T }>> {
		const download = async (file: T) => {
			const received = await this.receive(file, await file.link(), inStore(context));
			return received === undefined ? [] : [{ file, binary: received.kept, facts: received.facts }];
		};
		const signal = context.getExecutionCancelSignal();
		return (await sideBySide(this.service, this.list, download, signal)).flat();
	}

	/** The link of a file in a list that was asked for after an attempt. */
	private async linkAfter(begun: number, { kind, id }: T): Promise<string | undefined> {
		if (this.newest === undefined || this.newest.at < begun)
			this.newest = { at: ++this.ticks, list: this.find().then(withDistinctIds) };
		const list = await this.newest.list;
		return await list.find((file) => file.kind === kind && file.id === id)?.link();
	}
}

/** Numbers those that have nothing of their own to tell them apart. */
function withDistinctIds<T extends LinkedFile>(files: T[]): T[] {
	const seen = new Map<string, number>();
	return files.map((file) => {
		const key = `${file.kind} ${file.id}`;
		const number = (seen.get(key) ?? 0) + 1;
		seen.set(key, number);
		return number === 1 ? file : { ...file, id: `${file.id} (${number})` };
	});
}

/**
 * Does something with each of these files at the same time. Once one has failed, none begins.
 * @throws what the first of them has failed with, when all that had begun have ended
 */
async function sideBySide<T, R>(
	service: ServiceClient,
	files: readonly T[],
	work: (file: T) => Promise<R>,
	signal: AbortSignal | undefined,
): Promise<R[]> {
	let hasFailed = false;
	const unlessFailed = async (file: T) => {
		if (hasFailed) throw OVER;
		return await work(file).catch((thrown: unknown) => {
			hasFailed = true;
			throw asError(thrown);
		});
	};
	// What is one file to a result is as many at once as there are items under way.
	const begin = async (file: T) =>
		files.length === 1
			? await work(file)
			: await service.inFileTurn(async () => await unlessFailed(file), signal);
	const done: R[] = [];
	for (const ended of await Promise.allSettled(files.map(begin)))
		if (ended.status === 'fulfilled') done.push(ended.value);
		else if (ended.reason !== OVER) throw asError(ended.reason);
	return done;
}
