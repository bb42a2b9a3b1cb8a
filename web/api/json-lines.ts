/** The values of a reply that has one in each line, each as soon as its line is there. @throws where it breaks off */
export async function* jsonLines<Line>(body: NonNullable<Response['body']>): AsyncGenerator<Line, void, void> {
  let text = ''
  // Not every browser iterates over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const lines = (text + (value ?? '')).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}
