/** Secrets that change while nobody edits the App: looked up now and then, and followed. */
@NullMarked
package io.middleware.engine.watcher.secrets;

import org.jspecify.annotations.NullMarked;
