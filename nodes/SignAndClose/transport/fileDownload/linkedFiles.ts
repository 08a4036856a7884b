import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import {
	saveToStore,
	receive,
	receiveLink,
	type Downloaded,
	type DownloadTarget,
	type Keep,
	type Received,
} from './download';
import { asError } from '../failure/failure';
import type { Opened } from '../files/streams';

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
	link(): string | undefined | Promise<string | undefined>;
	/** Opens it where there is no link. Undefined while there is no file. */
	open?(): Promise<Opened | undefined>;
}

/** Retrieves something of the service, and lists its files. */
export async function findFiles<T extends LinkedFile>(
	service: ServiceClient,
	find: () => Promise<T[]>,
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
		private readonly find: () => Promise<T[]>,
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
	 * Downloads the files that there are, side by side, in the order of the list. Once one has failed,
	 * none begins.
	 * @throws ServiceFailure of the first one that fails, when all that had begun have ended
	 */
	async downloadAll(context: IExecuteFunctions): Promise<Array<Downloaded & { file: T }>> {
		let hasFailed = false;
		const download = async (file: T) => {
			if (hasFailed) return [];
			try {
				const received = await this.receive(file, await file.link(), saveToStore(context));
				return received ? [{ file, binary: received.result, facts: received.facts }] : [];
			} catch (thrown) {
				hasFailed = true;
				throw asError(thrown);
			}
		};
		const signal = context.getExecutionCancelSignal();
		// What is one file to a result is as many at once as there are items under way.
		const ends = await Promise.allSettled(
			this.list.length === 1
				? this.list.map(download)
				: this.list.map(
						async (file) =>
							await this.service.receiveInTurn(async () => await download(file), signal),
					),
		);
		return ends.flatMap((end) => {
			if (end.status === 'rejected') throw asError(end.reason);
			return end.value;
		});
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
