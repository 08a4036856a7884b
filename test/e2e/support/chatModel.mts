import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model makes the agent do: calls of tools in one turn, by name and arguments. */
export type Turn = Array<{ tool: string; args: object }>;

interface Message {
	role: string;
	content: unknown;
}

/**
 * A chat model with OpenAI's interface that follows a script: it calls tools, one turn after the
 * other, and then says that it's done.
 */
export async function startChatModel(): Promise<{
	url: string;
	/** What the model is to do from now on. */
	follow(script: Turn[]): void;
	/** What tools have told the model in this conversation. */
	told: string[];
	close(): Promise<void>;
}> {
	const told: string[] = [];
	let left: Turn[] = [];
	let calls = 0;
	const server = createServer(async (request, response) => {
		const { messages } = (await bodyOf(request)) as { messages: Message[] };
		// Each request holds the whole conversation.
		told.splice(0, told.length, ...messages.flatMap(toolText));
		const turn = left.shift();
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: 'chatcmpl-1',
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [
					{
						index: 0,
						finish_reason: turn === undefined ? 'stop' : 'tool_calls',
						message: {
							role: 'assistant',
							content: turn === undefined ? 'Done.' : null,
							...(turn !== undefined && {
								tool_calls: turn.map(({ tool, args }) => ({
									id: `call_${++calls}`,
									type: 'function',
									function: { name: tool, arguments: JSON.stringify(args) },
								})),
							}),
						},
					},
				],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		follow(script) {
			left = [...script];
		},
		told,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString());
}

const toolText = ({ role, content }: Message): string[] =>
	role === 'tool' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [];
