import type { Session } from '../../../host/clients/n8n/session.mts';

/** n8n's own MCP server, with which assistants outside of n8n build and run workflows. */
export interface N8nMcp {
	/**
	 * Calls a tool.
	 * @returns its structured content
	 * @throws Error with what n8n says, if the call fails
	 */
	call<T = Record<string, unknown>>(tool: string, args: object): Promise<T>;
}

interface Answer {
	error?: { message: string };
	result?: {
		isError?: boolean;
		content?: Array<{ text?: string }>;
		structuredContent?: unknown;
	};
}

/** Turns the MCP server on, as the settings of n8n do, and connects to it with the owner's key. */
export async function connectToN8nMcp(session: Session): Promise<N8nMcp> {
	await session.send('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = await session.send<{ apiKey: string }>('POST', '/rest/mcp/api-key/rotate', {});
	let id = 0;
	const send = async (method: string, params: object): Promise<NonNullable<Answer['result']>> => {
		const response = await fetch(`${session.url}/mcp-server/http`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${apiKey}`,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`n8n's MCP server answered ${response.status}: ${text}`);
		// A stream of events has the answer in its last line of data.
		const data = text.startsWith('{')
			? text
			: (text.match(/^data: (.*)$/gm)?.at(-1) ?? '').slice(6);
		const { error, result } = JSON.parse(data) as Answer;
		if (error !== undefined) throw new Error(`n8n's MCP server: ${error.message}`);
		return result!;
	};
	await send('initialize', {
		protocolVersion: '2025-06-18',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	return {
		async call(tool, args) {
			const { isError, content, structuredContent } = await send('tools/call', {
				name: tool,
				arguments: args,
			});
			const said = content?.map(({ text = '' }) => text).join('\n') ?? '';
			if (isError === true) throw new Error(`${tool}: ${said}`);
			return (structuredContent ?? JSON.parse(said)) as never;
		},
	};
}
