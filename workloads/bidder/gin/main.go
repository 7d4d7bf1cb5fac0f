// A bidder with Gin.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/codec/json"
	"github.com/redis/go-redis/v9"

	"overhead/bidder/gin/internal/bidder"
)

func main() {
	settings, err := bidder.SettingsFromEnv()
	if err != nil {
		log.Fatal(err)
	}
	if settings.JSON == "go-json" {
		json.API = goJSON{}
	}
	options, err := redis.ParseURL(env("REDIS_URL", "redis://127.0.0.1:6379"))
	if err != nil {
		log.Fatal(err)
	}
	options.PoolSize, options.MaxActiveConns = settings.RedisPool, settings.RedisPool
	client := redis.NewClient(options)
	defer client.Close()

	bids := bidder.New(bidder.NewStore(client, settings), settings)
	server := &http.Server{
		Addr:    net.JoinHostPort(env("HOST", "127.0.0.1"), env("PORT", "3010")),
		Handler: newRouter(bids, settings),
	}
	stopped, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-stopped.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func newRouter(bids *bidder.Bidder, settings bidder.Settings) *gin.Engine {
	router := gin.New()
	if settings.Log == "default" {
		router = gin.Default()
	}
	router.POST("/bid", handleBid(bids, settings))
	return router
}

// failure is what Nest answers where something is thrown.
type failure struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
}

func handleBid(bids *bidder.Bidder, settings bidder.Settings) gin.HandlerFunc {
	isLogged := settings.BidLog != "none"
	bind := (*gin.Context).ShouldBindJSON
	if isLogged {
		bind = (*gin.Context).ShouldBindBodyWithJSON
	}
	return func(c *gin.Context) {
		var request bidder.Request
		if err := bind(c, &request); err != nil || !request.IsBiddable() {
			c.Status(http.StatusBadRequest)
			return
		}
		// Gin's PureJSON ends an answer with a line feed, which would not be the same bytes as the others'.
		answer, err := bids.Bid(c.Request.Context(), &request)
		switch {
		case errors.Is(err, bidder.ErrNoAd) && settings.Answer == "full":
			c.Status(http.StatusNoContent)
		case err != nil:
			_ = c.Error(err)
			c.AbortWithStatusJSON(
				http.StatusInternalServerError,
				failure{http.StatusInternalServerError, "Internal server error"},
			)
			return
		default:
			c.Data(http.StatusOK, "application/json; charset=utf-8", answer)
		}
		if isLogged {
			bids.Log(c.Request.Context(), c.MustGet(gin.BodyBytesKey).([]byte), answer)
		}
	}
}

func env(name, otherwise string) string {
	if value, isSaid := os.LookupEnv(name); isSaid {
		return value
	}
	return otherwise
}
