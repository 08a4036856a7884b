import { waitUntil } from '../../run/patience.mts';
import { N8nRequestError, type Session } from './session.mts';
import type { StoredWorkflow, WorkflowJson } from './types.mts';

/** How far publishing has come. */
interface PublicationStatus {
	/** not_published, in_progress, published, partial or failed. */
	status: string;
	triggers: Array<{ nodeId: string; status: string; errorMessage?: string | null }>;
}

/** Saved workflows: reading, saving, publishing. */
export class Workflows {
	readonly #session: Session;

	constructor(session: Session) {
		this.#session = session;
	}

	async list(): Promise<StoredWorkflow[]> {
		return await this.#session.send('GET', '/rest/workflows?take=250');
	}

	async get(id: string): Promise<StoredWorkflow> {
		return await this.#session.send('GET', `/rest/workflows/${id}`);
	}

	/** Creates a workflow, or replaces the one with this name. Its executions and URL stay. */
	async save(workflow: WorkflowJson): Promise<StoredWorkflow> {
		const { name, nodes, connections, settings, pinData } = workflow;
		const body = {
			name,
			nodes,
			connections,
			settings: settings ?? {},
			...(pinData === undefined ? {} : { pinData }),
		};
		const known = (await this.list()).find((candidate) => candidate.name === name);
		// n8n 1.x requires `active` for a new workflow, 2.x ignores it.
		if (known === undefined)
			return await this.#session.send('POST', '/rest/workflows', { ...body, active: false });
		if (known.active) await this.unpublish(known.id);
		return await this.#session.send('PATCH', `/rest/workflows/${known.id}`, {
			...body,
			versionId: known.versionId,
		});
	}

	/** Unpublishes, archives and deletes: n8n demands this order. */
	async delete(id: string): Promise<void> {
		const { active } = await this.get(id);
		if (active) await this.unpublish(id);
		await this.#session.send('POST', `/rest/workflows/${id}/archive`, {});
		await this.#session.send('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Publishes the saved version and waits until its triggers run, because n8n answers before they
	 * do.
	 * @throws with n8n's message when a trigger can't be started
	 */
	async publish(id: string, limitMs?: number): Promise<void> {
		const { versionId } = await this.get(id);
		await this.#setActive(id, true, versionId);
		const ended = ['published', 'failed', 'partial'];
		const { status, triggers } = await this.#waitForStatus(id, ended, limitMs);
		if (status === 'published') return;
		const messages = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
		throw new Error(`Workflow ${id} could not be published: ${messages.join('; ') || status}`);
	}

	/** Unpublishes and waits until the triggers have been removed. */
	async unpublish(id: string): Promise<void> {
		const { versionId } = await this.get(id);
		await this.#setActive(id, false, versionId);
		await this.#waitForStatus(id, ['not_published']);
	}

	async #waitForStatus(
		id: string,
		wanted: readonly string[],
		limitMs?: number,
	): Promise<PublicationStatus> {
		let publication: PublicationStatus;
		return await waitUntil(
			async () => {
				publication = await this.#publicationStatus(id);
				return wanted.includes(publication.status) && publication;
			},
			() => `Workflow ${id} is ${publication.status}, not ${wanted[0]},`,
			{ limitMs },
		);
	}

	/** n8n 2.x has a call for each direction; in 1.x, `active` is a property of the workflow. */
	async #setActive(id: string, active: boolean, versionId: string): Promise<void> {
		try {
			await this.#session.send(
				'POST',
				`/rest/workflows/${id}/${active ? 'activate' : 'deactivate'}`,
				active ? { versionId } : {},
			);
		} catch (error) {
			if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
			await this.#session.send('PATCH', `/rest/workflows/${id}`, { active, versionId });
		}
	}

	async #publicationStatus(id: string): Promise<PublicationStatus> {
		try {
			return await this.#session.send('GET', `/rest/workflows/${id}/publication-status`);
		} catch (error) {
			if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
			// Without its publication service, as in 1.x, n8n is done when the call has returned.
			const { active } = await this.get(id);
			return { status: active ? 'published' : 'not_published', triggers: [] };
		}
	}
}
