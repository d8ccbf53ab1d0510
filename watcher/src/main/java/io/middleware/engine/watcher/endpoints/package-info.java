/** Which pods the Services for applications lead to. */
@NullMarked
package io.middleware.engine.watcher.endpoints;

import org.jspecify.annotations.NullMarked;
