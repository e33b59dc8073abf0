/** Whether the text is in the clipboard now: over plain HTTP, as in a local network, browsers let no page put it
 *  there. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
