/** What each process of the engine needs: settings, connections, metrics, health, shutdown. */
@NullMarked
package io.middleware.engine.process;

import org.jspecify.annotations.NullMarked;
